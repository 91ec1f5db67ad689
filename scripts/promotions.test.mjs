import { beforeAll, expect, test } from 'vitest'
import { buildUnits } from './steps/buildUnits.mjs'
import { runPromotions } from './steps/servers/runPromotions.mjs'

beforeAll(() => buildUnits(), 300_000)

// The long one is `node scripts/promotions.mjs`.
test('three promotions lose and repeat nothing, and live queries go on without a resync', async () => {
  const report = await runPromotions({ sockets: 20, promotions: 3, seconds: 2, writers: 6 })
  expect(report).toMatchObject({ lost: 0, doubled: 0, missed: 0, doubledEvents: 0, resyncs: 0 })
  expect(report.acknowledged).toBeGreaterThan(100)
  expect(report.events).toBe(report.expectedEvents)
  expect(report.gaps).toHaveLength(3)
  expect(Object.keys(report.refused).filter((kind) => !/^(503|0) /.test(kind))).toEqual([])
}, 300_000)
