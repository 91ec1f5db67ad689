import { createRandom } from './createRandom.ts'
import type { TestServer } from './createTestServer.ts'

type Written = { n: number }

/**
 * Writes, changes and deletes objects through the API until it is stopped, and keeps in mind what was acknowledged.
 * Each writer has objects of its own, so that the last response about an object is its state.
 */
export function startWriters(server: Pick<TestServer, 'call'>, className: string, count: number) {
  const state = new Map<string, Written>()
  const failures: unknown[] = []
  let isOver = false
  let writes = 0
  const random = createRandom(34)
  const write = async () => {
    const own: string[] = []
    while (!isOver) {
      const id = own[random.below(own.length)]
      const n = writes++
      const choice = random.below(10)
      if (!id || choice < 4) {
        const { status, body } = await server.call('POST', `/classes/${className}`, { n })
        if (status !== 201) failures.push(body)
        else {
          own.push(String(body.objectId))
          state.set(String(body.objectId), { n })
        }
      } else if (choice < 8) {
        const { status, body } = await server.call('PUT', `/classes/${className}/${id}`, { n })
        if (status === 200) state.set(id, { n })
        else failures.push(body)
      } else {
        const { status, body } = await server.call('DELETE', `/classes/${className}/${id}`)
        if (status !== 200) failures.push(body)
        else {
          own.splice(own.indexOf(id), 1)
          state.delete(id)
        }
      }
    }
  }
  const writers = Array.from({ length: count }, write)
  return {
    state,
    failures,
    writes: () => writes,
    async stop() {
      isOver = true
      await Promise.all(writers)
    },
  }
}
