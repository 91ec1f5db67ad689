import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createMarket, listLogs, listRows } from '../../testing/chain/createMarket.ts'
import { createTraffic } from '../../testing/chain/createTraffic.ts'
import { listExpected } from '../../testing/chain/indexing/listExpected.ts'
import { listKept } from '../../testing/chain/indexing/listKept.ts'
import { startIndexing } from '../../testing/chain/indexing/startIndexing.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'
import { listStates } from '../events/computeStates.ts'
import { listIndexStatus } from './listIndexStatus.ts'

test('R27: an indexer killed twenty times loses no row, of events and states too, and doubles none', async () => {
  const chain = await startChain()
  chain.finality = 20
  const traffic = await createTraffic(chain, 3)
  const market = await createMarket(chain)
  await traffic.send(200)
  await market.trade(200)
  // Slow enough that many are killed while they read and write.
  chain.faults.latencyMs = 60
  const shared = await openTestDatabase()
  // Makes the tables first, so that no child dies before it has begun.
  const first = await startIndexing(chain, { mode: 'off' }, { shared })
  const children: Child[] = []
  try {
    // Three at a time: while one is killed, the next ones are on their way up. Each believes that it is an hour later
    // than the one before, so that leases of the dead never hold it up, and those of the living are taken over.
    for (let count = 0; count < 20; count++) {
      while (children.length < 3)
        children.push(startChild(shared.databaseUrl ?? '', chain.url, market.address, count + children.length))
      const child = children.shift() as Child
      await child.up
      await traffic.send(2)
      await market.trade(2)
      if (count % 5 === 4) {
        await chain.reorg(6, async () => {
          await traffic.send(3)
          await market.trade(4)
        })
      }
      await pause(Math.random() * 150)
      child.process.kill('SIGKILL')
      await once(child.process, 'exit')
    }
    // All were killed while reading old blocks; none finished.
    expect((await listIndexStatus(first.context))[0]?.blocksLeft).toBeGreaterThan(0)
    await Promise.all(children.map(({ up }) => up))
    chain.faults.latencyMs = 0
    await expect
      .poll(() => listKept(shared.db, chain.chainId), { timeout: 60_000 })
      .toEqual(await listExpected(chain, traffic))
    await expect.poll(async () => (await listIndexStatus(first.context))[0]?.blocksLeft, { timeout: 60_000 }).toBe(0)
    await expect
      .poll(() => listKept(shared.db, chain.chainId), { timeout: 60_000 })
      .toEqual(await listExpected(chain, traffic))
    const listed = await listLogs(chain, [market.address], 'Listed')
    const listFields = ['uid', 'seller', 'price', 'expires']
    await expect.poll(() => listRows(shared.db, 'Listed', listFields), { timeout: 60_000 }).toEqual(listed)
    // The state equals the result of the node's own logs, in their order.
    const sellers = new Map<string, string>()
    for (const line of listed.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))) {
      const [, , , , , uid = '', seller = ''] = line.split(' ')
      sellers.set(seller, `${sellers.get(seller) ?? seller} ${uid}`)
    }
    const listSellers = async () =>
      (await shared.db.query<{ uids: string }>(sql`select "uids" from "Seller" order by "objectId"`)).map(
        ({ uids }) => uids,
      )
    const wanted = [...sellers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, uids]) => uids)
    await expect.poll(listSellers, { timeout: 60_000 }).toEqual(wanted)
  } finally {
    for (const { process } of children) process.kill('SIGKILL')
    await Promise.all(children.map(({ process }) => process.exitCode ?? process.signalCode ?? once(process, 'exit')))
    await first.stop()
    await shared.close()
    await chain.stop()
  }
}, 120_000)

test('SEC-65: a chain whose indexer was killed is not called up to date, and another follows it within seconds', async () => {
  const chain = await startChain()
  const market = await createMarket(chain)
  await market.trade(3)
  const shared = await openTestDatabase()
  const first = await startIndexing(chain, { mode: 'off' }, { shared, indexer: { enabled: false } })
  const child = startChild(shared.databaseUrl ?? '', chain.url, market.address, 0)
  const status = async () => (await listIndexStatus(first.context))[0]
  const states = async () => (await listStates(first.context)).map((state) => state.status)
  try {
    await child.up
    await expect.poll(status, { timeout: 60_000 }).toMatchObject({ status: 'SYNCED', running: true })
    await expect.poll(states, { timeout: 60_000 }).toEqual(['SYNCED'])
    child.process.kill('SIGKILL')
    await once(child.process, 'exit')
    const killed = performance.now()
    await expect.poll(status, { timeout: 60_000 }).toMatchObject({ status: 'SYNCING', running: false })
    expect(performance.now() - killed).toBeLessThan(15_000)
    expect(await states()).toEqual(['SYNCING'])
    const next = startChild(shared.databaseUrl ?? '', chain.url, market.address, 0)
    try {
      await expect.poll(status, { timeout: 60_000 }).toMatchObject({ status: 'SYNCED', running: true })
      await expect.poll(states, { timeout: 60_000 }).toEqual(['SYNCED'])
    } finally {
      next.process.kill('SIGKILL')
      await once(next.process, 'exit')
    }
  } finally {
    child.process.kill('SIGKILL')
    await first.stop()
    await shared.close()
    await chain.stop()
  }
}, 120_000)

type Child = { process: ChildProcess; up: Promise<unknown> }

/** The built indexer in a process of its own. */
function startChild(databaseUrl: string, url: string, market: string, hours: number): Child {
  const at = (path: string) => JSON.stringify(new URL(`../../../dist/${path}`, import.meta.url).href)
  const event = 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)'
  const events = [{ class: 'Listed', event, contracts: [market] }]
  const chain = { id: 31_337, rpcUrls: [url], headCacheTtl: 0, requestsPerSecond: 10_000, events }
  const index = { mode: 'all', pollInterval: 50, maxRange: 1, concurrency: 1 }
  const source = `
    import { readConfig } from ${at('config/readConfig.js')}
    import { createContext } from ${at('context/createContext.js')}
    import { createLogger } from ${at('log/createLogger.js')}
    import { startIndexer } from ${at('chain/index/startIndexer.js')}
    import { createChains } from ${at('chain/nodes/getChains.js')}
    import { sql } from ${at('db/sql.js')}
    const flags = { databaseUrl: ${JSON.stringify(databaseUrl)}, chains: [${JSON.stringify({ ...chain, index })}] }
    const config = await readConfig({ environment: {}, folder: '/nonexistent', flags })
    const ms = () => Date.now() + ${hours} * 3_600_000
    const clock = { now: () => new Date(ms()), ms }
    const context = await createContext({ config, clock, log: createLogger('silent') })
    context.registry.states.set('sellers', {
      events: ['Listed'],
      classes: ['Seller'],
      version: 1,
      async run({ object: { seller, uid } }, store) {
        const known = await store.get('Seller', seller)
        await store.put('Seller', seller, { uids: (known?.uids ?? seller) + ' ' + uid })
      },
    })
    // Up is one that has seen blocks being read: what dies before is no test of anything.
    const blocks = sql\`select coalesce(sum(blocks), 0) as blocks from countersign.chain_progress\`
    const read = async () => (await context.db.query(blocks))[0].blocks
    const before = await read()
    await startIndexer(context, createChains(context))
    const timer = setInterval(async () => {
      if ((await read()) === before) return
      clearInterval(timer)
      process.stdout.write('up')
    }, 20)
  `
  const child = spawn(process.execPath, ['--no-opt', '--single-threaded-gc', '--input-type=module', '-e', source], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A child that cannot start must not block the test.
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== null) throw new Error(`The indexer ended with code ${code}.`)
  })
  ended.catch(() => {})
  return { process: child, up: Promise.race([once(child.stdout, 'data'), ended]) }
}
