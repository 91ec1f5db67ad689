import { expect, test } from 'vitest'
import { fuzzImports } from './fuzzImports.ts'

test('random import files are imported or refused', { timeout: 300_000 }, async () => {
  for (const seed of [1, Date.now() % 1_000_000]) {
    const { findings, counts } = await fuzzImports({ seed, cases: 60 })
    expect(findings, `npm run fuzz -- --endpoint import --seed ${seed} --cases 60`).toEqual([])
    expect(counts.import.accepted).toBeGreaterThan(5)
  }
})
