import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, type Market } from '../../testing/chain/createMarket.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { delegate7702 } from '../../testing/chain/smartAccounts/delegate7702.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { type Signer, signInWith } from '../../testing/signIn.ts'

const patience = { timeout: 60_000 }
type Key = ReturnType<typeof createWallet>

let chain: Chain
let market: Market
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 4
  market = await createMarket(chain)
  const event = 'Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price)'
  server = await createTestServer({
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'off', pollInterval: 50 },
        events: [{ class: 'OwnSale', event, contracts: [market.address], owner: ['seller', 'buyer'] }],
      },
    ],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const as = (address: Address, key: Key): Signer => ({ address, signMessage: (message) => key.signMessage(message) })

async function signIn(signer: Signer) {
  const { status, body } = await signInWith(server, signer, { chainId: chain.chainId })
  return { status, token: body.sessionToken as string }
}

const sell = (id: bigint, seller: Address) => market.send('buy', id, seller.toLowerCase(), `0x${'7'.repeat(40)}`, 5n)

const list = async (options: { token?: string; master?: boolean }) => {
  const { body } = await server.call('GET', '/classes/OwnSale?order=uid', undefined, options)
  return (body.results as { uid: string }[]).map(({ uid }) => uid)
}

test('SEC-65: a delegate whose delegation was withdrawn reads no event of the account, until proven again', async () => {
  const [key, device] = [createWallet(), createWallet()]
  const holder = await deployContract(chain, getArtifact('KeyHolder'), [device.address])
  await delegate7702(chain, key, holder)
  const delegate = await signIn(as(key.address, device))
  const owner = await signIn(key)
  expect([delegate.status, owner.status]).toEqual([201, 201])
  await sell(1n, key.address)
  await expect.poll(() => list(delegate), patience).toEqual(['1'])

  await delegate7702(chain, key, zeroAddress).catch((error: Error) => expect(error.message).toContain('not taken'))
  await sell(2n, key.address)
  await expect.poll(() => list(owner), patience).toEqual(['1', '2'])
  await expect.poll(() => list(delegate), patience).toEqual([])

  await delegate7702(chain, key, holder)
  const again = await signIn(as(key.address, device))
  expect(again.status).toBe(200)
  await expect.poll(() => list(again), patience).toEqual(['1', '2'])
})
