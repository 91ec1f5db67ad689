import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { startPostgres } from '../../postgres.mjs'
import { openListener } from './openListener.mjs'
import { queryPostgres } from './queryPostgres.mjs'
import { startCountersign } from './startCountersign.mjs'
import { startHaproxy } from './startHaproxy.mjs'
import { createFolder, rejoin, startStandby } from './startStandby.mjs'
import { until } from './until.mjs'

/**
 * @typedef {Awaited<ReturnType<typeof startCountersign>>} Server
 * @typedef {{ sockets: number, promotions: number, seconds: number, writers: number, proxy?: 'haproxy' | undefined,
 *   say?(line: string): void }} Options
 */

const durable = { wal_level: 'replica', wal_log_hints: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Promotes the standby of a PostgreSQL primary several times under load: the primary crashes, the standby takes over,
 * the old primary returns as its standby. Replication is synchronous while there is a standby, so that everything
 * acknowledged is on both. Two servers serve writers and live sockets all the while. The server has to be built.
 *
 * @param {Options} options
 */
export async function runPromotions({ sockets, promotions, seconds, writers, proxy, say = () => {} }) {
  /** @type {(() => unknown)[]} */
  const closing = []
  try {
    let primary = await startPostgres({ dir: createFolder(), settings: durable })
    const folders = [primary.dir]
    // pg_rewind starts the crashed server with the settings of its own files, and reads its log back to a checkpoint.
    await queryPostgres(primary.url, 'alter system set wal_log_hints = on')
    await queryPostgres(primary.url, "alter system set wal_keep_size = '1GB'")
    await queryPostgres(primary.url, 'select pg_reload_conf()')
    closing.push(() => primary.stop())
    let standby = await startStandby(primary, durable)
    folders.push(standby.dir)
    closing.push(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
    closing.push(() => standby.stop())
    const haproxy = proxy && (await startHaproxy([primary, standby]))
    if (haproxy) closing.push(haproxy.stop)
    const both = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
    const url = haproxy?.url ?? `postgres://postgres@${both}/postgres?target_session_attrs=read-write`
    await waitForSync(primary)
    /** @type {Server[]} */
    const servers = []
    for (let index = 0; index < 2; index++) {
      const server = await startCountersign({ DATABASE_URL: url, COUNTERSIGN_LOG_LEVEL: 'info' })
      closing.push(server.stop)
      servers.push(server)
    }
    const load = createLoad(servers, writers)
    await load.prepare()
    const listeners = await Promise.all(
      Array.from({ length: sockets }, (_, index) =>
        openListener(/** @type {Server} */ (servers[index % servers.length])),
      ),
    )
    closing.push(() => {
      for (const { close } of listeners) close()
    })
    say(`${sockets} sockets listen`)
    load.start()
    await pause(1000 * seconds)
    /** @type {number[]} */
    const gaps = []
    /** Time (ms) from the crash until PostgreSQL itself was ready for writes. @type {number[]} */
    const promoted = []
    for (let round = 0; round < promotions; round++) {
      const crashed = primary
      load.watchGap()
      const began = Date.now()
      process.kill(crashed.pid(), 'SIGQUIT')
      await until(() => isGone(crashed.pid()))
      await crashed.stop()
      await queryPostgres(standby.url, 'select pg_promote()')
      promoted.push(Date.now() - began)
      primary = standby
      await until(() => load.gap() !== undefined)
      gaps.push(load.gap() ?? 0)
      say(`promotion ${round + 1}: writes were refused for ${load.gap()} ms, and PostgreSQL took ${promoted.at(-1)} ms`)
      standby = await rejoin(crashed, primary, durable)
      await waitForSync(primary)
      say('the old primary is a standby')
      await pause(1000 * seconds)
    }
    await load.stop()
    const missed = await settle(listeners, load.expected())
    return {
      ...(await load.check()),
      gaps,
      promoted,
      sockets,
      events: listeners.reduce((sum, { events }) => sum + events.size, 0),
      expectedEvents: sockets * load.expected().size,
      missed,
      doubledEvents: listeners.reduce((sum, { doubled }) => sum + doubled(), 0),
      resyncs: listeners.reduce((sum, { resyncs }) => sum + resyncs(), 0),
      reconnects: listeners.reduce((sum, { reconnects }) => sum + reconnects(), 0),
      output: servers.map(({ output }) => output()),
    }
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** @param {number} pid */
function isGone(pid) {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** Turns on synchronous replication once the standby streams. @param {import('./startStandby.mjs').Postgres} primary */
async function waitForSync(primary) {
  const streaming = "select count(*) from pg_stat_replication where state = 'streaming'"
  await until(async () => (await queryPostgres(primary.url, streaming)) === '1')
  await queryPostgres(primary.url, "alter system set synchronous_standby_names = '*'")
  await queryPostgres(primary.url, 'select pg_reload_conf()')
  await until(async () => (await queryPostgres(primary.url, `${streaming} and sync_state = 'sync'`)) === '1')
}

/**
 * Writers that create, change, read and delete, each with a request id, so that a repeated request changes nothing.
 *
 * @param {Server[]} servers
 * @param {number} writers
 */
function createLoad(servers, writers) {
  /** Name and step of each change that was acknowledged. @type {Set<string>} */
  const expected = new Set()
  /** @type {Map<string, number | 'deleted'>} */
  const acknowledged = new Map()
  /** @type {Map<string, number>} */
  const refused = new Map()
  let running = true
  /** @type {Promise<void>[]} */
  let work = []
  /** @type {{ began: number, firstRefused?: number, ended?: number }} */
  let watched = { began: 0 }

  /** @type {(server: Server, method: string, path: string, body?: object) => Promise<any>} */
  const insist = async (server, method, path, body) => {
    const id = { 'X-Parse-Request-Id': randomUUID() }
    for (;;) {
      const began = Date.now()
      const { status, body: answer } = await server.call(method, path, body, id)
      if (status === 200 || status === 201) {
        if (method !== 'GET' && watched.firstRefused && began >= watched.began) watched.ended ??= Date.now()
        return answer
      }
      if (method !== 'GET') watched.firstRefused ??= began
      refused.set(`${status} ${answer.code ?? ''}`, (refused.get(`${status} ${answer.code ?? ''}`) ?? 0) + 1)
      if (status < 500 && status !== 0) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      await pause(20)
    }
  }

  /** @type {(number: number) => Promise<void>} */
  const write = async (number) => {
    const server = /** @type {Server} */ (servers[number % servers.length])
    for (let count = 0; running; count++) {
      const name = `${number}-${count}`
      const { objectId } = await insist(server, 'POST', '/classes/Drill', { name, step: 0 })
      acknowledged.set(name, 0)
      expected.add(`create ${name} 0`)
      for (let step = 1; step <= 2; step++) {
        await insist(server, 'PUT', `/classes/Drill/${objectId}`, { step: { __op: 'Increment', amount: 1 } })
        acknowledged.set(name, step)
        expected.add(`update ${name} ${step}`)
      }
      await insist(server, 'GET', `/classes/Drill/${objectId}`)
      if (count % 5 === 0) {
        await insist(server, 'DELETE', `/classes/Drill/${objectId}`)
        acknowledged.set(name, 'deleted')
        expected.add(`delete ${name} 2`)
      }
      await pause(20)
    }
  }

  return {
    expected: () => expected,
    prepare: async () => {
      const [server] = servers
      if (server) await insist(server, 'POST', '/classes/Drill', { name: 'first', step: 0 })
      acknowledged.set('first', 0)
    },
    start() {
      work = Array.from({ length: writers }, (_, number) => write(number))
    },
    async stop() {
      running = false
      await Promise.all(work)
    },
    watchGap() {
      watched = { began: Date.now() }
    },
    gap: () => watched.ended && watched.ended - watched.began,
    async check() {
      const server = /** @type {Server} */ (servers[0])
      const { body } = await server.call('GET', '/classes/Drill?limit=100000')
      /** @type {Map<string, number>} */
      const found = new Map()
      let doubled = 0
      for (const { name, step } of body.results) {
        if (found.has(name)) doubled++
        found.set(name, step)
      }
      const wrong = [...acknowledged].filter(
        ([name, step]) => found.get(name) !== (step === 'deleted' ? undefined : step),
      )
      return { acknowledged: expected.size, lost: wrong.length, doubled, refused: Object.fromEntries(refused) }
    },
  }
}

/**
 * Waits for the last events. Returns how many never came.
 *
 * @param {Awaited<ReturnType<typeof openListener>>[]} listeners
 * @param {Set<string>} expected
 */
async function settle(listeners, expected) {
  const missing = () =>
    listeners.reduce((sum, { events }) => sum + [...expected].filter((key) => !events.has(key)).length, 0)
  const end = Date.now() + 30_000
  while (missing() > 0 && Date.now() < end) await pause(100)
  return missing()
}
