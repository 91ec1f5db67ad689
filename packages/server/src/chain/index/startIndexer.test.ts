import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createTraffic, type Traffic } from '../../testing/chain/createTraffic.ts'
import { listTransfers } from '../../testing/chain/indexing/listTransfers.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { listIndexStatus } from './listIndexStatus.ts'

const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const me = account.address.toLowerCase()
const master = { master: true }
const patience = { timeout: 60_000 }

let chain: Chain
let traffic: Traffic
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 5
  traffic = await createTraffic(chain)
  await traffic.give(me, 12)
  await traffic.send(20)
  const index = { mode: 'users', pollInterval: 50 } as const
  server = await createTestServer({
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], headCacheTtl: 0, index }],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const find = (where: object, options = {}) =>
  server.call(
    'GET',
    `/classes/Transfer?where=${encodeURIComponent(JSON.stringify(where))}&order=-block&limit=100`,
    undefined,
    options,
  )
const rows = async (where: object) => (await find(where)).body.results as Record<string, unknown>[]

test('R27: transfers of a wallet are there once a user signs in with it, as objects of a class', async () => {
  expect(await rows({})).toEqual([])
  await createWalletUser(server, account)
  const expected = (await listTransfers(chain)).filter((line) => line.includes(` ${me} `))
  await expect.poll(async () => (await rows({})).length, patience).toBe(expected.length)
  const [coin] = await rows({ to: me, kind: 'erc20' })
  expect(coin).toMatchObject({
    chain: chain.chainId,
    kind: 'erc20',
    token: traffic.token,
    from: `0x${'0'.repeat(40)}`,
    to: me,
    amount: expect.stringMatching(/^\d+$/),
    block: expect.any(Number),
    blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    blockTime: { __type: 'Date', iso: expect.any(String) },
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    sub: 0,
  })
  expect((await server.call('GET', `/classes/Transfer/${coin?.objectId}`)).body).toMatchObject({ to: me })
  expect(await rows({ to: { $ne: me }, from: { $ne: me } })).toEqual([])
})

test('only the master key writes transfers', async () => {
  const { token } = await server.signUp('mallory')
  const [{ objectId } = {}] = await rows({ to: me })
  for (const options of [{}, { token }]) {
    const answers = [
      await server.call('POST', '/classes/Transfer', { to: me, amount: '1' }, options),
      await server.call('PUT', `/classes/Transfer/${objectId}`, { amount: '1' }, options),
      await server.call('DELETE', `/classes/Transfer/${objectId}`, undefined, options),
      await server.call('PUT', `/classes/Transfer/${objectId}`, { another: 'field' }, options),
    ]
    for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 119])
  }
  expect((await server.call('GET', `/classes/Transfer/${objectId}`, undefined, master)).status).toBe(200)
})

test('an operator may keep transfers to those who are signed in', async () => {
  const permit = (find: object) =>
    server.call('PUT', '/schemas/Transfer', { classLevelPermissions: { find, get: find, count: find } }, master)
  expect((await permit({ requiresAuthentication: true })).status).toBe(200)
  expect((await find({})).body.code).toBe(101)
  const { token } = await server.signUp('reader')
  expect((await find({}, { token })).body.results).not.toEqual([])
  expect((await permit({ '*': true })).status).toBe(200)
})

test('a schema file of the application leaves the class of transfers as it is', async () => {
  const classes = { Post: { fields: { title: 'String' } } }
  const { body } = await server.call('POST', '/applySchema', { classes }, master)
  expect(body.applied).toBe(true)
  expect(await rows({ to: me })).not.toEqual([])
})

test('R27: live queries receive new and undone transfers', async () => {
  await expect.poll(async () => (await listIndexStatus(server.context))[0]?.status, patience).toBe('SYNCED')
  const socket = await openLiveSocket(server)
  try {
    expect(await socket.subscribe(1, { className: 'Transfer', where: { to: me } })).toMatchObject({ op: 'subscribed' })
    await traffic.give(me, 1)
    const came = await socket.next('create')
    expect(came.object).toMatchObject({ className: 'Transfer', to: me })
    await chain.reorg(1)
    const gone = await socket.next('delete')
    expect(gone.object).toMatchObject({ objectId: came.object?.objectId })
  } finally {
    socket.close()
  }
})

test('an address that cloud code of the older form watches is followed as one of a user', async () => {
  const [someone = ''] = traffic.people
  const body = { address: someone, chainId: 'local' }
  expect((await server.call('POST', '/functions/watchEthAddress', body)).status).toBe(403)
  expect((await server.call('POST', '/functions/watchEthAddress', body, master)).body).toEqual({
    result: { success: true },
  })
  const expected = (await listTransfers(chain)).filter((line) => line.includes(` ${someone} `)).length
  expect(expected).toBeGreaterThan(0)
  const where = { $or: [{ from: someone }, { to: someone }] }
  await expect.poll(async () => (await rows(where)).length, patience).toBe(Math.min(expected, 100))
})
