import { type CuttableProxy, createProxy } from '../createProxy.ts'
import { ready, type ServerProcess, startProcess } from '../startProcess.ts'
import type { Postgres, StartPostgres } from './Chaos.ts'

export type Member = {
  url: string
  /** Between this server and the database. */
  proxy: CuttableProxy
  process(): ServerProcess
  /** Starts it again on the same port, once it is gone. */
  revive(): Promise<void>
}

export type Cluster = { postgres: Postgres; members: Member[]; stop(): Promise<void> }

export const appId = 'chaos'
export const masterKey = 'chaos-master-key-of-this-run-alone'

/** Several servers, each with a network of its own to one PostgreSQL. */
export async function startCluster(startPostgres: StartPostgres, count: number): Promise<Cluster> {
  // Sent events must survive a crash of the database, so a commit waits for the disk; the machine itself does not
  // crash.
  const postgres = await startPostgres({ settings: { synchronous_commit: 'on', full_page_writes: 'on' } })
  const members: Member[] = []
  const stop = async () => {
    for (const { process } of members) process().child.kill('SIGKILL')
    await Promise.all(members.map(({ process }) => process().exited))
    await Promise.all(members.map(({ proxy }) => proxy.close()))
    await postgres.stop()
  }
  try {
    for (let at = 0; at < count; at++) members.push(await startMember(postgres))
    await Promise.all(members.map((member) => ready(member.process())))
    return { postgres, members, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startMember(postgres: Postgres): Promise<Member> {
  const proxy = await createProxy({ host: '127.0.0.1', port: postgres.port })
  const environment = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    COUNTERSIGN_APP_ID: appId,
    COUNTERSIGN_MASTER_KEY: masterKey,
    COUNTERSIGN_LOG_LEVEL: 'error',
  }
  let running = await startProcess(environment)
  const { url } = running
  return {
    url,
    proxy,
    process: () => running,
    async revive() {
      for (let tries = 0; ; tries++) {
        await running.exited
        running = await startProcess({ ...environment, PORT: new URL(url).port })
        // While the database is away it cannot start, and says so.
        const isUp = await ready({ ...running, url }).then(
          () => true,
          (error) => {
            if (tries > 20) throw error
            running.child.kill('SIGKILL')
            return false
          },
        )
        if (isUp) return
      }
    },
  }
}
