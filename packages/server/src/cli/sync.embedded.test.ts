import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../db/sql.ts'
import type { Chain } from '../testing/chain/Chain.ts'
import { createMarket, type Market } from '../testing/chain/createMarket.ts'
import { startChain } from '../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { readArguments } from './readArguments.ts'
import { runSync } from './runSync.ts'

const patience = { timeout: 60_000 }
const keys = { appId: 'market', masterKey: 'the key of the operator' }
let chain: Chain
let market: Market
let server: TestServer
let folder: string

beforeAll(async () => {
  chain = await startChain()
  market = await createMarket(chain)
  await market.trade(4)
  folder = await mkdtemp(join(tmpdir(), 'countersign-sync-'))
  await writeFile(join(folder, 'countersign.config.json'), JSON.stringify(keys))
  await writeFile(
    join(folder, 'state.mjs'),
    `import { defineState } from 'countersign'
     export const sellers = defineState({
       events: ['Listed'],
       classes: ['Seller'],
       handle: ({ event, store }) => store.put('Seller', event.seller, { last: event.uid }),
     })`,
  )
  server = await createTestServer({
    ...keys,
    cloud: join(folder, 'state.mjs'),
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], headCacheTtl: 0, index: { pollInterval: 50 } }],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
  await rm(folder, { recursive: true })
})

/** Runs the command in this process; returns its output. */
async function run(...args: string[]): Promise<string> {
  let output = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
  try {
    const config = ['--config', join(folder, 'countersign.config.json')]
    await runSync(readArguments(['sync', ...args, '--server', server.serverUrl, ...config]))
    return output
  } catch (error) {
    return `REFUSED ${(error as Error).message}`
  } finally {
    write.mockRestore()
  }
}

test('countersign sync adds, lists, replays and removes what is kept of contracts', async () => {
  expect(await run('list')).toBe('No event syncs.\n')
  const file = join(folder, 'listed.json')
  const event = 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)'
  await writeFile(file, JSON.stringify({ chain: 'local', class: 'Listed', event, contracts: [market.address] }))
  expect(await run('add', file)).toMatch(new RegExp(`^${chain.chainId} Listed\\.Listed  `))
  const whole = `${chain.chainId} Listed.Listed  up to date\n\nComputed states:\n${chain.chainId} sellers  up to date\n`
  await expect.poll(() => run('list'), patience).toBe(whole)
  expect(JSON.parse(await run('list', '--json'))).toMatchObject([{ name: 'Listed.Listed', status: 'SYNCED' }])
  const [before] = await server.context.db.query(sql`select count(*)::int from "Listed"`)
  expect(await run('replay', String(chain.chainId), 'Listed.Listed')).toContain('Listed.Listed')
  await expect.poll(() => run('list'), patience).toBe(whole)
  const [after] = await server.context.db.query(sql`select count(*)::int from "Listed"`)
  expect(after).toEqual(before)
  expect(await run('remove', String(chain.chainId), 'Listed.Listed')).toBe(
    'Listed.Listed is no longer synced. Existing rows are kept.\n',
  )
  expect(await run('list')).toMatch(/^No event syncs\.\n/)
})

test('reports errors with a fix', async () => {
  expect(await run('add')).toMatch(/^REFUSED Usage: countersign sync list, add FILE/)
  expect(await run('add', join(folder, 'nowhere.json'))).toMatch(/^REFUSED The file .*nowhere\.json cannot be read/)
  await writeFile(join(folder, 'bad.json'), '{')
  expect(await run('add', join(folder, 'bad.json'))).toMatch(/is not valid JSON/)
  await writeFile(join(folder, 'wrong.json'), JSON.stringify({ chain: 'local', class: 'X', event: 'event (' }))
  expect(await run('add', join(folder, 'wrong.json'))).toMatch(/^REFUSED/)
  expect(await run('remove', '1', 'nosuch')).toMatch(/^REFUSED/)
})
