import { afterEach, expect, test } from 'vitest'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { findObjectsEndpoint } from '../../objects/findObjects.ts'
import { updateObjectEndpoint } from '../../objects/updateObject.ts'
import { threadTime } from '../longestHold.ts'
import { createWorld } from './createWorld.ts'
import type { FuzzFinding } from './Finding.ts'
import { runFuzz } from './runFuzz.ts'
import { shortRun } from './runShort.ts'

type Handle = Endpoint['handle']

const restores: (() => void)[] = []
afterEach(() => {
  for (const restore of restores.splice(0)) restore()
})

/** Replaces the handler of an endpoint until the end of the test. */
function plant(endpoint: Endpoint, faulty: (handle: Handle) => Handle): void {
  const { handle } = endpoint
  endpoint.handle = faulty(handle)
  restores.push(() => {
    endpoint.handle = handle
  })
}

const asMaster =
  (handle: Handle): Handle =>
  (request) =>
    handle({ ...request, caller: { ...request.caller, isMaster: true } })

const faults: [string, FuzzFinding['rule'], string, () => void][] = [
  ['a query that ignores access lists', 'foreignData', 'findObjects', () => plant(findObjectsEndpoint, asMaster)],
  ['a write without a check of rights', 'foreignWrite', 'updateObject', () => plant(updateObjectEndpoint, asMaster)],
  [
    'a TypeError on strange input',
    'serverError',
    'updateObject',
    () =>
      plant(updateObjectEndpoint, (handle) => async (request) => {
        const operations = Object.values(request.input) as ({ __op?: unknown; amount: number } | null)[]
        for (const each of operations) if (each?.__op === 'Increment') each.amount.toFixed()
        return handle(request)
      }),
  ],
  [
    'a handler that stops the event loop',
    'eventLoop',
    'findObjects',
    () =>
      plant(findObjectsEndpoint, (handle) => async (request) => {
        const text = JSON.stringify(request.input)
        // One in eight, since each slow request is sent five times; by thread, which gets a tenth of a busy machine's time.
        const end = threadTime() + (text.includes('$regex') && text.length % 8 === 0 ? 1_500 : 0)
        while (threadTime() < end) Math.sqrt(end)
        return handle(request)
      }),
  ],
]

test.each(faults)('finds a planted fault: %s', { timeout: 600_000 }, async (_name, rule, endpoint, begin) => {
  const world = await createWorld('user')
  try {
    begin()
    // As many requests as a run of some 100,000 cases sends to this endpoint.
    const budget = { cases: rule === 'eventLoop' ? 2 * shortRun : 8 * shortRun, only: [endpoint] }
    const { findings } = await runFuzz({ world, seed: 1, guardsWrites: true, ...budget })
    expect(findings.map((finding) => finding.rule)).toContain(rule)
  } finally {
    await world.stop()
  }
})
