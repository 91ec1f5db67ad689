import { expect, test } from 'vitest'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { readPage } from './readPage.ts'

// Time for a transaction of 20 large changes.
const server = serveTests({ requestComplexity: { queryTimeout: 60_000 } })

test('P13: a page of the log is measured by its size in memory, with any compression', async () => {
  const { body } = await server.call('POST', '/classes/Long', { text: 'x'.repeat(900_000), n: 0 })
  const socket = await openLiveSocket(server)
  expect(await socket.subscribe(1, { className: 'Long', keys: ['n'] })).toMatchObject({ op: 'subscribed' })
  const path = `/server/classes/Long/${body.objectId}`
  const requests = Array.from({ length: 20 }, () => ({
    method: 'PUT',
    path,
    body: { n: { __op: 'Increment', amount: 1 } },
  }))
  const batch = await server.call('POST', '/batch', { requests, transaction: true })
  expect(batch.status, batch.text).toBe(200)
  const page = await readPage(server.context.db, {
    low: { xmax: 1, underWay: [], last: 0 },
    classNames: ['Long'],
  })
  expect(page.more).toBe(true)
  expect(JSON.stringify(page.changes).length).toBeLessThan(8_000_000)
  await socket.next((frame) => frame.op === 'update' && frame.object?.n === 20)
  expect(socket.frames.filter(({ op }) => op === 'update').length).toBe(20)
  socket.close()
})
