import { expect, test, vi } from 'vitest'
import { sql } from '../db/sql.ts'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

const make = (n: number) => server.call('POST', '/classes/Torn', { n })
const numbers = ({ frames }: LiveSocket) => frames.filter(({ object }) => object).map(({ object }) => object?.n)

/** Clients that support positions get a resync and continue; legacy clients are disconnected and come back. */
async function tear(lose: (ours: LiveSocket) => Promise<unknown>) {
  const [ours, older] = [
    await openLiveSocket(server, { connect: { features: ['positions'] } }),
    await openLiveSocket(server),
  ]
  const { position } = await ours.subscribe(1, { className: 'Torn' })
  await older.subscribe(1, { className: 'Torn' })
  await make(0)
  await vi.waitFor(() => expect([numbers(ours), numbers(older)]).toEqual([[0], [0]]), { timeout: 60_000 })
  await lose(ours)
  const resync = await ours.next('resync')
  expect(resync).toMatchObject({ requestId: 1, position: expect.any(String) })
  expect(await older.next('error')).toMatchObject({ reconnect: true, requestId: null })
  expect(await older.closed).toBe(1013)
  await make(1)
  await make(2)
  await vi.waitFor(() => expect(numbers(ours)).toEqual([0, 1, 2]), { timeout: 60_000 })
  ours.close()

  // The place that came with it serves; one from before the gap does not, and says so.
  const again = await openLiveSocket(server, { connect: { features: ['positions'] } })
  await again.subscribe(1, { className: 'Torn' }, { from: resync.position })
  await vi.waitFor(() => expect(numbers(again)).toEqual([1, 2]), { timeout: 60_000 })
  await again.subscribe(2, { className: 'Torn' }, { from: position })
  expect(await again.next('resync')).toMatchObject({ requestId: 2 })
  await make(3)
  await vi.waitFor(() => expect(again.frames.filter(({ object }) => object?.n === 3)).toHaveLength(2), {
    timeout: 60_000,
  })
  again.close()
}

test('R24: subscribers of a database that was restored elsewhere are asked to query again', async () => {
  await make(-1)
  await tear(() =>
    server.context.db.query(
      sql`update countersign.live_state set incarnation = 'another-00000001', kept_from = '8000000000'`,
    ),
  )
})

test('R24: the same if the database does not say which it is', async () => {
  await tear(() => server.context.db.query(sql`update countersign.live_state set kept_from = '8000000000'`))
})

test('R24: subscribers get a resync if the database was unreachable for longer than the retention', async () => {
  const { db } = server.context
  await tear(async ({ frames }) => {
    // The reader looks twice a second, and a transaction in another database of the cluster holds the present back. Then
    // it has missed nothing, and once more is tried.
    const isTorn = () => frames.some(({ op }) => op === 'resync')
    for (let tries = 0; tries < 10 && !isTorn(); tries++) {
      await db.query(sql`select pg_current_xact_id()`)
      await db.query(sql`update countersign.live_state set kept_from = pg_snapshot_xmin(pg_current_snapshot())`)
      await vi.waitFor(() => expect(isTorn()).toBe(true), { timeout: 10_000 }).catch(() => {})
    }
  })
})
