import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Random } from '../createRandom.ts'
import type { Subscriber } from './openSubscriber.ts'
import type { Cluster, Member } from './startCluster.ts'

type Parts = { cluster: Cluster; chance: Random; subscribers: readonly Subscriber[]; faults: string[] }
type Disturbance = (parts: Parts) => Promise<void>

const anyServer = ({ cluster, chance }: Parts): Member => chance.pick(cluster.members)

/** Disturbances of servers. */
const servers: { [name: string]: Disturbance } = {
  async 'server killed'(parts) {
    const member = anyServer(parts)
    member.process().child.kill('SIGKILL')
    await member.revive()
  },
  async 'network to the database cut'(parts) {
    const { proxy } = anyServer(parts)
    await proxy.close()
    await pause(parts.chance.below(2_000))
    await proxy.open()
  },
  async 'server frozen'(parts) {
    const { child } = anyServer(parts).process()
    child.kill('SIGSTOP')
    await pause(500 + parts.chance.below(2_000))
    child.kill('SIGCONT')
  },
  async 'server stopped in good order'(parts) {
    const member = anyServer(parts)
    const stopping = member.process()
    stopping.child.kill('SIGTERM')
    const code = await stopping.exited
    if (code !== 0) parts.faults.push(`a server that was asked to stop ended with ${code}: ${stopping.output()}`)
    await member.revive()
  },
}

/** Disturbances of the database and of clients. */
const others: { [name: string]: Disturbance } = {
  'database crashed': ({ cluster }) => cluster.postgres.restart('immediate'),
  async 'notification connections cut'({ cluster, chance }) {
    const client = new Client({ connectionString: cluster.postgres.url })
    client.on('error', () => {})
    await client.connect()
    for (let times = 1 + chance.below(5); times > 0; times--) {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'`)
      await pause(chance.below(300))
    }
    await client.end()
  },
  async 'clients cut off'({ subscribers, chance }) {
    for (const subscriber of subscribers) if (chance.happens(0.2)) subscriber.cut()
  },
  'database restarted': ({ cluster }) => cluster.postgres.restart('fast'),
}

/**
 * Does one thing after another of all that may go wrong, until the end, to servers and to the rest at the same time.
 * Each is repaired as far as an operator repairs it. In the first round each comes once, then by chance, the
 * first of them twice as often as the others.
 */
export async function disturb(parts: Parts, end: number, note: (name: string) => void): Promise<void> {
  await Promise.all(
    [
      { lane: servers, rest: 500 },
      // Each takes everyone a while to recover from; with less time between them nobody would come to write.
      { lane: others, rest: 4_000 },
    ].map(async ({ lane, rest }) => {
      const names = Object.keys(lane)
      for (let count = 0; Date.now() < end; count++) {
        const name = names[count] ?? parts.chance.pick([...names, ...names.slice(0, 1)])
        await lane[name]?.(parts)
        note(name)
        await pause(rest + parts.chance.below(2_000))
      }
    }),
  )
}
