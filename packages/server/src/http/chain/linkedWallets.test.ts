import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listIndexStatus } from '../../chain/index/listIndexStatus.ts'
import { createScene, ether } from '../../testing/chain/createScene.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'

type Options = { token?: string; master?: boolean }

let scene: Awaited<ReturnType<typeof createScene>>
let server: TestServer
let user: WalletUser
let stranger: WalletUser
let linked: string
const unknown = createWallet().address.toLowerCase()

beforeAll(async () => {
  scene = await createScene()
  const { send, gold, pictures, creator, alice } = scene
  server = await createTestServer({
    chains: scene.chainsWith({ mode: 'users', addresses: [alice], transactions: true, startBlock: 0 }),
  })
  user = await createWalletUser(server)
  stranger = await createWalletUser(server)
  linked = user.account.address.toLowerCase()
  await send('Token', gold, 'mint', creator, ether(100))
  for (const address of [linked, alice]) await send('Token', gold, 'transfer', address, ether(4))
  await send('Pictures', pictures, 'mint', linked, 7n, '')
  const block = Number(await scene.node.request('eth_blockNumber'))
  await vi.waitFor(async () => {
    expect((await listIndexStatus(server.context))[0]).toMatchObject({ status: 'SYNCED', block, addresses: 3 })
  }, 60_000)
})

afterAll(async () => {
  await server?.stop()
  await scene?.node.stop()
})

const lists = ['transfers', 'nfts', 'tokens', 'collections', 'transactions']

/** Every list of an address, by its endpoint and by the older functions. */
async function readAll(address: string, options: Options) {
  const rest = lists.map((name) => server.call('GET', `/chain/local/addresses/${address}/${name}`, undefined, options))
  const functions = ['getTokenTransfers', 'getNFTs', 'getNFTTransfers', 'getTokenBalances', 'getTransactions']
  const older = [...functions, 'getWalletNFTCollections', 'getTransactionsVerbose'].map((name) =>
    server.call('POST', `/functions/${name}`, { chain: 'local', address }, options),
  )
  const answers = await Promise.all([...rest, ...older])
  return answers.map(({ status, text }) => [status, text.replaceAll(address, 'ADDRESS')] as const)
}

async function readWorth(address: string, options: Options) {
  const portfolio = await server.call('GET', `/portfolio/${address}`, undefined, options)
  const value = await server.call('GET', `/chain/local/addresses/${address}/value`, undefined, options)
  const [chain] = portfolio.body.chains as Record<string, unknown>[]
  const { complete, tokens, nfts, status } = chain ?? {}
  const { points, complete: isComplete } = value.body.result as { points: { usd: string }[]; complete: boolean }
  return { complete, tokens, nfts, status, points: points.map(({ usd }) => usd), isComplete }
}

test('SEC-65: the index does not reveal to others that an address is a user’s wallet', async () => {
  // The owner first: their response must not be cached for others.
  for (const options of [{ token: user.token }, { master: true }]) {
    expect((await readAll(linked, options)).map(([status]) => status)).toEqual(Array(12).fill(200))
    expect(await readWorth(linked, options)).toMatchObject({ complete: true, nfts: 1, isComplete: true })
  }
  for (const options of [{}, { token: stranger.token }]) {
    const answers = await readAll(linked, options)
    expect(answers).toEqual(await readAll(unknown, options))
    expect(answers.every(([status, text]) => status === 400 && text.includes('"code":108'))).toBe(true)
    expect(await readWorth(linked, options)).toEqual(await readWorth(unknown, options))
  }
})

test('SEC-65: an address that the operator named is readable for everyone', async () => {
  for (const options of [{}, { token: stranger.token }])
    expect((await readAll(scene.alice, options)).map(([status]) => status)).toEqual(Array(12).fill(200))
})
