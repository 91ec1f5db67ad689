import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, type Market } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { listIndexStatus } from './listIndexStatus.ts'

const patience = { timeout: 60_000 }
const seller = `0x${'5'.repeat(40)}` as const

let chain: Chain
let market: Market
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 4
  market = await createMarket(chain)
  const event = 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)'
  server = await createTestServer({
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'off', pollInterval: 50 },
        events: [{ class: 'Listed', event, contracts: [market.address] }],
      },
    ],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const list = async () => {
  const { body } = await server.call('GET', '/classes/Listed?order=uid', undefined, { master: true })
  return (body.results as { uid: string; confirmed: boolean }[]).map(({ uid, confirmed }) => [uid, confirmed])
}
const status = async () => (await listIndexStatus(server.context))[0]

test('SEC-65: a reorg below final blocks deletes no confirmed row, and stops the index', async () => {
  await market.send('list', 1n, seller, 5n, 0)
  await chain.mine(5)
  const head = Number(await chain.request('eth_blockNumber'))
  await expect.poll(status, patience).toMatchObject({ block: head, status: 'SYNCED' })
  await expect.poll(list, patience).toEqual([['1', true]])
  const before = await status()

  await chain.reorg(6, () => market.send('list', 2n, seller, 5n, 0))
  await expect.poll(async () => (await status())?.error, patience).toMatch(/finalized blocks/)
  expect(await list()).toEqual([['1', true]])
  expect(await status()).toMatchObject({ status: 'SYNCING', block: head, blockHash: before?.blockHash })
  const { body } = await server.call('GET', '/syncs', undefined, { master: true })
  expect(body.results).toMatchObject([{ status: 'SYNCING' }])
})
