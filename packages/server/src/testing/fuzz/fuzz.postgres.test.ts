import { expect, test } from 'vitest'
import { runShort, shortRun } from './runShort.ts'

// Minutes on a machine that runs other tests.
test('random requests from the contract find no violation', { timeout: 600_000 }, async () => {
  for (const { command, findings, endpoints, accepted } of await runShort()) {
    console.log(command, endpoints, accepted)
    expect(findings, command).toEqual([])
    // Most endpoints are reached, and enough requests are valid.
    expect(endpoints, command).toBeGreaterThan(150)
    expect(accepted, command).toBeGreaterThan(shortRun / 30)
  }
})
