import { afterEach, beforeAll, expect, test } from 'vitest'
import { buildUnits } from './steps/buildUnits.mjs'
import { createLedger } from './steps/faults/createLedger.mjs'
import { runFaults } from './steps/faults/runFaults.mjs'
import { startFleet } from './steps/faults/startFleet.mjs'
import { startTraffic } from './steps/faults/startTraffic.mjs'
import { queryPostgres } from './steps/servers/queryPostgres.mjs'
import { until } from './steps/servers/until.mjs'

/** @type {(() => unknown)[]} */
let closing = []

beforeAll(() => buildUnits(), 300_000)
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

// The long ones are `npm run faults` and `npm run soak`.
test('connections lost around a commit, and a wrong clock, lose and repeat nothing', async () => {
  const only = 'before COMMIT,after COMMIT,single statement,clock,mail'
  const { rows } = await runFaults({ only, seconds: 2, people: 4, isShort: true })
  expect(rows).toHaveLength(7)
  for (const row of rows) {
    expect(row).toMatchObject({ lost: 0, doubled: 0, undead: 0, faults: [] })
    expect(row.deadSessions, row.name).toBeGreaterThan(0)
    expect(row.acknowledged, row.name).toBeGreaterThan(10)
  }
}, 600_000)

test('the checker finds a lost write, a doubled one and a session that lives on', async () => {
  const fleet = await startFleet({ servers: [{}] })
  closing.push(fleet.stop)
  const ledger = createLedger({ run: 'checked' })
  const traffic = startTraffic({ calls: fleet.calls, people: 2, ledger, isShort: true })
  await until(() => ledger.dead.size > 3 && ledger.objects.size > 5)
  await traffic.stop()
  expect(await ledger.check(fleet.calls)).toMatchObject({ lost: 0, doubled: 0, undead: 0, faults: [] })
  const run = (/** @type {string} */ sql) => queryPostgres(fleet.postgres.url, sql)
  const first = `(select "objectId" from "Drill" order by "createdAt" limit 1)`
  await run(`update "Drill" set step = step + 1 where "objectId" = ${first}`)
  expect(await ledger.check(fleet.calls)).toMatchObject({ lost: 0, doubled: 1 })
  await run(`update "Drill" set step = step - 2 where "objectId" = ${first}`)
  expect(await ledger.check(fleet.calls)).toMatchObject({ lost: 1, doubled: 0 })
  await run(`delete from "Drill" where "objectId" = ${first}`)
  expect(await ledger.check(fleet.calls)).toMatchObject({ lost: 1, doubled: 0 })
  const account = { username: 'thief', password: 'a long password' }
  const { body } = await /** @type {(typeof fleet.calls)[0]} */ (fleet.calls[0])('POST', '/users', account)
  ledger.noteDead(body.sessionToken, 0, 'never')
  await until(async () => (await ledger.check(fleet.calls)).undead > 0)
}, 600_000)
