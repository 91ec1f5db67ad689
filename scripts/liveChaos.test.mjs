import { expect, test } from 'vitest'
import { runLiveChaos } from './steps/runLiveChaos.mjs'

// The long one is `node scripts/liveChaos.mjs`.
test('R24: under any failure every subscriber receives exactly what happened, in order, nothing twice, nothing foreign', async () => {
  const report = await runLiveChaos({ sockets: 150, seconds: 6, writers: 8, rate: 40, servers: 3, seed: 7 })
  expect(report.faults).toEqual([])
  expect(report.resumed).toBeGreaterThan(0)
  expect(report.deliveries).toBeGreaterThan(report.writes)
  expect(report.disturbances).toMatchObject({
    'server killed': expect.any(Number),
    'database crashed': expect.any(Number),
  })
}, 120_000)
