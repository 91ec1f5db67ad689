import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../createRandom.ts'
import type { Asked, ChaosOptions, ChaosReport, StartPostgres, Who } from './Chaos.ts'
import { checkHistory } from './checkHistory.ts'
import { checkSubscriber } from './checkSubscriber.ts'
import { disturb } from './disturb.ts'
import { enrol } from './enrol.ts'
import { expectEvents } from './expectEvents.ts'
import { keepHistory } from './keepHistory.ts'
import { openSubscriber, type Subscriber } from './openSubscriber.ts'
import { type Cluster, startCluster } from './startCluster.ts'
import { startWriters } from './startWriters.ts'

/** How long the last events may take when all is well again. */
const patience = 60_000

/** Servers, clients and writers under failures: checks that every subscriber received the right events. */
export async function runChaos(startPostgres: StartPostgres, options: ChaosOptions): Promise<ChaosReport> {
  const cluster = await startCluster(startPostgres, options.servers)
  const subscribers: Subscriber[] = []
  try {
    return await run(options, cluster, subscribers)
  } finally {
    for (const subscriber of subscribers) subscriber.stop()
    await cluster.stop()
  }
}

async function run(options: ChaosOptions, cluster: Cluster, subscribers: Subscriber[]): Promise<ChaosReport> {
  const { sockets, seconds, say = () => {} } = options
  const chance = createRandom(options.seed)
  const urls = cluster.members.map(({ url }) => url)
  const started = Date.now()
  const lags: number[] = []
  const rooms = Math.max(5, Math.round(sockets / 40))
  const users = await enrol(urls[0] ?? '', Math.max(6, Math.ceil(sockets / 40)))
  const history = await keepHistory(cluster.postgres.url)

  for (let at = 0; at < sockets; at++) {
    const who: Who =
      at % 3 === 0 ? { name: 'guest', token: undefined, names: ['*'] } : (users[at % users.length] as Who)
    subscribers.push(
      openSubscriber({
        who,
        positions: at % 8 !== 7,
        asked: [ask(at, rooms), ...(at % 5 === 0 ? [ask(at + 3, rooms)] : [])],
        url: () => chance.pick(urls),
        noteLag: (lag) => void lags.push(lag),
      }),
    )
  }
  await until(() => subscribers.every(({ isOpen }) => isOpen()), patience, 'all subscribers to be there')
  say(`${sockets} sockets are open`)

  const readers = [...users.flatMap(({ names }) => names.slice(1, 2)), 'role:crew']
  const writers = await startWriters({ ...options, chance, urls, rooms, readers })
  const disturbances: Record<string, number> = {}
  const faults: string[] = []
  await disturb({ cluster, chance, subscribers, faults }, Date.now() + seconds * 1000, (name) => {
    disturbances[name] = (disturbances[name] ?? 0) + 1
    say(`${name}; ${writers.counts.writes} writes, ${lags.length} events`)
  })
  await writers.stop()
  const changes = await history.list()
  faults.push(...checkHistory(changes, await history.cells(), writers.counts))
  say(`${changes.length} changes; waiting for the last events`)

  const isDone = ({ questions, positions, who }: Subscriber) =>
    !positions ||
    questions.every(({ asked, runs }) => {
      let missing = 0
      for (const list of expectEvents(changes, asked, who).values()) missing += list.length
      return runs.flat().length >= missing
    })
  const waiting = new Set(subscribers)
  const whole = await until(() => {
    for (const subscriber of waiting) if (isDone(subscriber)) waiting.delete(subscriber)
    return waiting.size === 0
  }, patience).catch(() => false)
  if (!whole) faults.push(`${waiting.size} subscribers still lack events after ${patience / 1000} s`)
  // Duplicates would arrive now.
  await pause(1_000)
  faults.push(...subscribers.flatMap((subscriber) => checkSubscriber(changes, subscriber)))

  lags.sort((left, right) => left - right)
  const at = (share: number) => lags[Math.min(lags.length - 1, Math.floor(share * lags.length))] ?? 0
  const questions = subscribers.flatMap((subscriber) => subscriber.questions)
  return {
    faults,
    writes: writers.counts.writes,
    repeated: writers.counts.repeated,
    deliveries: questions.reduce((sum, { runs }) => sum + runs.flat().length, 0),
    subscriptions: questions.length,
    resumed: subscribers.reduce((sum, { resumed }) => sum + resumed, 0),
    disturbances,
    lag: { p50: at(0.5), p99: at(0.99), most: at(1) },
    seconds: Math.round((Date.now() - started) / 1000),
  }
}

/** Most follow one room, some what leaves and enters by its score, a few everything. */
function ask(at: number, rooms: number): Asked {
  const room = at % rooms
  if (at % 97 === 0) return { where: {}, fits: () => true }
  if (at % 4 === 1) {
    const [low, other] = [at % 70, (room + 1) % rooms]
    return {
      where: { score: { $gte: low, $lt: low + 30 }, room: { $in: [room, other] } },
      fits: (cell) => cell.score >= low && cell.score < low + 30 && (cell.room === room || cell.room === other),
    }
  }
  return { where: { room }, fits: (cell) => cell.room === room }
}

async function until(isSo: () => boolean, longest: number, what = 'it'): Promise<boolean> {
  const end = Date.now() + longest
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`Waited for ${what} for ${longest / 1000} s.`)
    await pause(100)
  }
  return true
}
