import { once } from 'node:events'

/**
 * Counts the bytes that a competitor allocates on its heap while `work` runs.
 *
 * @template Result
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => Promise<Result>} work
 * @returns {Promise<{ result: Result, bytes: number }>}
 */
export async function countAllocations(child, work) {
  const ask = async (/** @type {object} */ message) => {
    const answer = once(child, 'message', { signal: AbortSignal.timeout(30_000) })
    child.send(message)
    const [{ bytes }] = await answer
    return bytes
  }
  await ask({ heap: 'start' })
  const result = await work()
  return { result, bytes: await ask({ heap: 'stop' }) }
}
