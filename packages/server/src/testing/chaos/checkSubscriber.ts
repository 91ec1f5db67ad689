import type { Change } from './Chaos.ts'
import { expectEvents } from './expectEvents.ts'
import type { Heard, Subscriber } from './openSubscriber.ts'

/** Faults in the events of a subscriber. */
export function checkSubscriber(changes: readonly Change[], subscriber: Subscriber): string[] {
  const { who, questions, positions } = subscriber
  const faults = [...subscriber.faults]
  for (const { asked, runs } of questions) {
    const expected = expectEvents(changes, asked, who)
    for (const run of runs) faults.push(...checkOrder(run))
    if (positions) faults.push(...checkWhole(expected, runs.flat()))
    else faults.push(...checkParts(expected, runs))
  }
  return faults.map((fault) => `${who.name}: ${fault}`)
}

function byObject(run: readonly Heard[]): Map<string, string[]> {
  const heard = new Map<string, string[]>()
  for (const { objectId, key } of run) {
    const list = heard.get(objectId) ?? []
    list.push(key)
    heard.set(objectId, list)
  }
  return heard
}

/** Checks a client that resumes: it received everything once, in order. */
function checkWhole(expected: Map<string, string[]>, run: readonly Heard[]): string[] {
  const heard = byObject(run)
  const faults: string[] = []
  for (const objectId of new Set([...expected.keys(), ...heard.keys()])) {
    const [should, did] = [expected.get(objectId) ?? [], heard.get(objectId) ?? []]
    if (should.length === did.length && should.every((key, at) => key === did[at])) continue
    const at = should.findIndex((key, index) => key !== did[index])
    const place = at < 0 ? should.length : at
    faults.push(
      `${objectId}: ${did.length} of ${should.length} events; at ${place} "${did[place]}" in place of "${should[place]}"`,
    )
  }
  return faults
}

/**
 * Checks a client that does not resume: it received nothing foreign and nothing twice, and nothing is missing while it
 * was connected.
 */
function checkParts(expected: Map<string, string[]>, runs: readonly Heard[][]): string[] {
  const faults: string[] = []
  const reached = new Map<string, number>()
  for (const run of runs) {
    for (const [objectId, keys] of byObject(run)) {
      const should = expected.get(objectId) ?? []
      const start = should.indexOf(keys[0] ?? '', reached.get(objectId) ?? 0)
      if (start < 0 || keys.some((key, at) => key !== should[start + at])) {
        faults.push(`${objectId}: received "${keys.join('", "')}", which is no part of what happened in order`)
      } else reached.set(objectId, start + keys.length)
    }
  }
  return faults
}

/** A writer waits for each response before it continues, so its later writes may not arrive earlier. */
function checkOrder(run: readonly Heard[]): string[] {
  const last = new Map<number, number>()
  for (const { key, writer, step } of run) {
    if (writer < 0 || !(key.startsWith('create') || key.startsWith('update') || key.startsWith('enter'))) continue
    const before = last.get(writer) ?? 0
    if (step <= before) return [`step ${step} of writer ${writer} came after its step ${before}`]
    last.set(writer, step)
  }
  return []
}
