import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../createRandom.ts'
import { sendPatiently } from './sendPatiently.ts'

type Parts = {
  chance: Random
  urls: readonly string[]
  writers: number
  rate: number
  rooms: number
  /** Names that access lists are made of. */
  readers: readonly string[]
}

export type Writers = {
  /** Resolves when every pending write has a response. */
  stop(): Promise<void>
  counts: { writes: number; repeated: number; deleted: number; updates: Map<string, number> }
}

/** Objects that all writers change at once. */
const sharedCount = 10
const mostOwn = 12

/** Each writes one thing after another, each to any server: its own objects, and those that all share. */
export async function startWriters({ chance, urls, writers, rate, rooms, readers }: Parts): Promise<Writers> {
  const counts: Writers['counts'] = { writes: 0, repeated: 0, deleted: 0, updates: new Map() }
  let stopped = false

  const send = async (method: string, path: string, body: object) => {
    const sent = await sendPatiently(() => chance.pick(urls), method, path, body)
    counts.writes++
    if (sent.tries > 1) counts.repeated++
    return sent.body
  }
  const accessList = () => {
    const kind = chance.below(10)
    if (kind < 5) return { '*': { read: true } }
    if (kind < 9)
      return Object.fromEntries([chance.pick(readers), chance.pick(readers)].map((name) => [name, { read: true }]))
    return {}
  }
  const place = () => ({ room: chance.below(rooms), score: chance.below(100) })
  const create = async (fields: object) => {
    const { objectId } = await send('POST', '/classes/Cell', { n: 0, ...place(), ACL: accessList(), ...fields })
    counts.updates.set(String(objectId), 0)
    return String(objectId)
  }
  const shared = await Promise.all(Array.from({ length: sharedCount }, () => create({ writer: -1, step: 0 })))

  const write = async (writer: number) => {
    const own: string[] = []
    for (let step = 1; !stopped; step++) {
      const said = { writer, step }
      if (own.length === 0 || (own.length < mostOwn && chance.happens(0.15))) own.push(await create(said))
      else if (chance.happens(0.08)) {
        await send('DELETE', `/classes/Cell/${own.shift()}`, {})
        counts.deleted++
      } else {
        const objectId = chance.happens(0.3) ? chance.pick(shared) : chance.pick(own)
        await send('PUT', `/classes/Cell/${objectId}`, {
          ...said,
          n: { __op: 'Increment', amount: 1 },
          score: chance.below(100),
          ...(chance.happens(0.3) && place()),
          ...(chance.happens(0.2) && { ACL: accessList() }),
        })
        counts.updates.set(objectId, (counts.updates.get(objectId) ?? 0) + 1)
      }
      await pause((writers / rate) * 1000 * (0.5 + Math.random()))
    }
  }
  const work = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  work.catch(() => {})
  return {
    counts,
    async stop() {
      stopped = true
      await work
    },
  }
}
