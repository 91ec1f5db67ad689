import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { openSpread, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { tableOf } from '../ClassSchema.ts'
import { moveClass } from './moveClass.ts'

/** Folder with the data folders of the cluster's nodes, `coordinator` and `worker1`, and that of PostgreSQL's programs. */
const { TEST_CITUS_NODES: nodes, TEST_CITUS_PROGRAMS: programs } = process.env

describe.skipIf(!nodes || !programs)('34-8: a node of the cluster is killed under load', () => {
  let database: TestDatabase
  let server: TestServer

  beforeAll(async () => {
    database = await openSpread()
    server = await createTestServer({}, { ...database, close: async () => {} })
    await server.call('POST', '/classes/Ledger', { n: 0 })
    await moveClass(database.db, 'Ledger', { by: 'shards', shards: 8 })
  })
  afterAll(async () => {
    await server?.stop()
    await database?.close()
  })

  test.each(['worker1', 'coordinator'])(
    '%s: nothing acknowledged is lost, and the log agrees with the objects',
    async (node) => {
      const socket = await openLiveSocket(server)
      onTestFinished(() => socket.close())
      await socket.subscribe(1, { className: 'Ledger', where: {} })
      const writers = startCounting()
      onTestFinished(() => writers.stop())
      await expect.poll(() => writers.acknowledged() > 50).toBe(true)
      await kill(node)
      await pause(2_000)
      start(node)
      // Transactions that were prepared when the node ended are finished by Citus.
      await expect.poll(() => recover(), { interval: 500 }).toBe(true)
      const after = writers.acknowledged()
      await expect.poll(() => writers.acknowledged() > after + 50).toBe(true)
      await writers.stop()
      const rows = await database.db.query<{ objectId: string; n: number }>(
        sql`select "objectId", n from ${tableOf(server.context.classes.get('Ledger'))} where n > 0`,
      )
      const stored = new Map(rows.map(({ objectId, n }) => [objectId, n]))
      const lost = [...writers.state].filter(([id, n]) => (stored.get(id) ?? 0) < n)
      console.log({ node, acknowledged: writers.acknowledged(), failed: writers.failed(), lost: lost.length })
      expect(lost).toEqual([])
      expect(writers.failed()).toBeGreaterThan(0)
      // The last change of each object in the log is the object as it is stored.
      const logged = await database.db.query<{ objectId: string; n: number }>(sql`
      select distinct on (1) after ->> 'objectId' as "objectId", (after ->> 'n')::float8 as n
      from countersign.changes where class_name = 'Ledger' order by 1, id desc`)
      expect(logged.filter(({ objectId, n }) => stored.get(objectId) !== n)).toEqual([])
      const seen = new Set(logged.map(({ objectId }) => objectId))
      expect([...writers.state.keys()].filter((id) => !seen.has(id))).toEqual([])
    },
  )

  test('a worker freezes: live queries and writes of other classes go on, and nothing acknowledged is lost', async () => {
    await server.call('POST', '/classes/Near', { n: 0 })
    const socket = await openLiveSocket(server)
    onTestFinished(() => socket.close())
    await socket.subscribe(1, { className: 'Near', where: {} })
    const watching = await openLiveSocket(server)
    onTestFinished(() => watching.close())
    await watching.subscribe(2, { className: 'Ledger', where: {} })
    const writers = startCounting()
    onTestFinished(() => writers.stop())
    await expect.poll(() => writers.acknowledged() > 50).toBe(true)
    const processes = await listProcesses('worker1')
    const thaw = () => signal(processes, 'SIGCONT')
    onTestFinished(thaw)
    signal(processes, 'SIGSTOP')
    for (let n = 1; n <= 3; n++) {
      await pause(500)
      const { body } = await server.call('POST', '/classes/Near', { n })
      expect((await socket.next('create')).object).toMatchObject({ objectId: body.objectId })
    }
    thaw()
    const after = writers.acknowledged()
    await expect.poll(() => writers.acknowledged() > after + 50).toBe(true)
    await writers.stop()
    const rows = await database.db.query<{ objectId: string; n: number }>(
      sql`select "objectId", n from ${tableOf(server.context.classes.get('Ledger'))} where n > 0`,
    )
    const stored = new Map(rows.map(({ objectId, n }) => [objectId, n]))
    expect([...writers.state].filter(([id, n]) => (stored.get(id) ?? 0) < n)).toEqual([])
  })

  test('a worker freezes beside more writes and reads of its class than there are connections: other classes go on', async () => {
    const { body: near } = await server.call('POST', '/classes/Near', { n: 0 })
    const writers = startCounting(40)
    onTestFinished(() => writers.stop())
    await expect.poll(() => writers.acknowledged() > 100).toBe(true)
    const ids = [...writers.state.keys()]
    const processes = await listProcesses('worker1')
    const thaw = () => signal(processes, 'SIGCONT')
    onTestFinished(thaw)
    signal(processes, 'SIGSTOP')
    await pause(1_000)
    const reads = ids.flatMap((id) => [
      server.call('GET', `/classes/Ledger/${id}`),
      server.call('GET', `/classes/Ledger?where=${encodeURIComponent(JSON.stringify({ n: { $gt: 1 } }))}&limit=5`),
    ])
    await pause(1_000)
    for (let n = 1; n <= 10; n++) {
      const changed = await server.call('PUT', `/classes/Near/${near.objectId}`, { n })
      expect(changed.status, changed.text).toBe(200)
      const read = await server.call('GET', `/classes/Near/${near.objectId}`)
      expect(read.body, read.text).toMatchObject({ n })
      await pause(300)
    }
    thaw()
    await Promise.all(reads.map((read) => read.catch(() => {})))
    const after = writers.acknowledged()
    await expect.poll(() => writers.acknowledged() > after + 100).toBe(true)
    await writers.stop()
  })

  /** Creates objects and counts them up. A request that failed may have been carried out. */
  function startCounting(count = 6) {
    const state = new Map<string, number>()
    let [acknowledged, failed, isOver] = [0, 0, false]
    const write = async () => {
      const own: string[] = []
      for (let n = 1; !isOver; n++) {
        const id = n % 3 === 0 ? own[n % own.length] : undefined
        const path = id ? `/classes/Ledger/${id}` : '/classes/Ledger'
        const { status, body } = await server
          .call(id ? 'PUT' : 'POST', path, { n })
          .catch(() => ({ status: 0, body: {} as Record<string, unknown> }))
        if (status !== 200 && status !== 201) {
          failed++
          await pause(20)
          continue
        }
        acknowledged++
        const objectId = id ?? String(body.objectId)
        if (!id) own.push(objectId)
        state.set(objectId, n)
      }
    }
    const writers = Array.from({ length: count }, write)
    return {
      state,
      acknowledged: () => acknowledged,
      failed: () => failed,
      stop: async () => {
        isOver = true
        await Promise.all(writers)
      },
    }
  }

  async function recover(): Promise<boolean> {
    try {
      await database.db.query(sql`select recover_prepared_transactions()`)
      const [row] = await database.db.query<{ left: number }>(sql`
        select coalesce(sum(result::integer), 0)::integer as left
        from run_command_on_workers('select count(*) from pg_prepared_xacts where prepared < now() - interval ''2 seconds'' and database = current_database()')`)
      return row?.left === 0
    } catch {
      return false
    }
  }
})

/** Processes of the node, the first one first. */
async function listProcesses(node: string): Promise<number[]> {
  const [pid] = (await readFile(join(nodes ?? '', node, 'postmaster.pid'), 'utf8')).split('\n')
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  return [String(pid), ...stdout.split('\n')].filter(Boolean).map(Number)
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const each of processes) {
    try {
      process.kill(each, name)
    } catch {
      // It has ended.
    }
  }
}

/** Ends the node at once, with all its processes. */
async function kill(node: string): Promise<void> {
  const [first = 0] = await listProcesses(node)
  // Stopped first: a process that it starts after the list is made would keep the shared memory.
  process.kill(first, 'SIGSTOP')
  signal(await listProcesses(node), 'SIGKILL')
}

function start(node: string): void {
  const folder = join(nodes ?? '', node)
  const command = [join(programs ?? '', 'pg_ctl'), '-D', folder, '-w', '-t', '180', '-l', `${folder}.log`, 'start']
  const [program = '', ...args] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${node} did not start: ${stderr}`)
}
