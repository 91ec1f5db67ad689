import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createTraffic, type Traffic } from '../../testing/chain/createTraffic.ts'
import { listIndexed } from '../../testing/chain/listIndexed.ts'
import { listTransfers } from '../../testing/chain/listTransfers.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let chain: Chain
let traffic: Traffic
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 40
  traffic = await createTraffic(chain)
  await traffic.send(150)
  server = await createTestServer({
    chains: [{ id: chain.chainId, rpcUrls: [chain.url], headAge: 0, index: { mode: 'all', pollInterval: 50 } }],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

test('smoke', async () => {
  await expect
    .poll(() => listIndexed(server.context.db, chain.chainId), { timeout: 8_000 })
    .toEqual(await listTransfers(chain))
})
