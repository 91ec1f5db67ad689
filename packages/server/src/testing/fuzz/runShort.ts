import { readCorpus } from './corpus.ts'
import { createWorld } from './createWorld.ts'
import type { FuzzFinding } from './Finding.ts'
import { runFuzz } from './runFuzz.ts'

/** Cases of a short run. */
export const shortRun = 600

export type ShortReport = { command: string; findings: FuzzFinding[]; endpoints: number; accepted: number }

/** Short runs with a fixed and with a new seed, in a world of users and in one with the master key. */
export async function runShort(): Promise<ShortReport[]> {
  const reports: ShortReport[] = []
  const seeds = [1, Date.now() % 1_000_000]
  for (const rights of ['user', 'master'] as const) {
    const world = await createWorld(rights, { chain: rights === 'master' })
    const kept = readCorpus().filter(({ kind }) => rights === 'master' || kind === 'guest' || kind === 'user')
    try {
      for (const seed of seeds) {
        const corpus = kept.filter((_, index) => index % 10 === seed % 10)
        const guardsWrites = rights === 'user'
        const { findings, counts } = await runFuzz({ world, seed, corpus, guardsWrites, cases: shortRun })
        reports.push({
          command: `npm run fuzz -- --rights ${rights} --seed ${seed} --cases ${shortRun}`,
          findings,
          endpoints: Object.keys(counts).length,
          accepted: Object.values(counts).reduce((sum, { accepted }) => sum + accepted, 0),
        })
      }
    } finally {
      await world.stop()
    }
  }
  return reports
}
