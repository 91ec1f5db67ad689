import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, type Market } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'

const patience = { timeout: 60_000 }
const master = { master: true }

let chain: Chain
let market: Market
let server: TestServer
let me: WalletUser
let other: WalletUser

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 4
  market = await createMarket(chain)
  server = await createTestServer({
    webhooks: { allowPrivateAddresses: true },
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'off', pollInterval: 50 },
        events: [
          {
            class: 'OwnSale',
            event: 'Sold(uint256 indexed id, address indexed seller, address indexed buyer, uint256 price)',
            contracts: [market.address],
            owner: ['seller', 'buyer'],
          },
        ],
      },
    ],
  })
  me = await createWalletUser(server)
  other = await createWalletUser(server)
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const lower = (address: string) => address.toLowerCase() as `0x${string}`
const sell = (id: bigint, seller: string, buyer: string) => market.send('buy', id, lower(seller), lower(buyer), 5n)

const find = async (uid: string, options = {}) => {
  const where = encodeURIComponent(JSON.stringify({ uid }))
  const { body } = await server.call('GET', `/classes/OwnSale?where=${where}`, undefined, options)
  return (body.results ?? []) as ({ objectId: string } & Record<string, unknown>)[]
}

const waitFor = (uid: string) => expect.poll(async () => (await find(uid, master)).length, patience).toBe(1)

test('SEC-60: no read of an event says which user the other wallet in it is', async () => {
  await sell(1n, me.account.address, other.account.address)
  await waitFor('1')
  const [row] = await find('1', { token: me.token })
  expect([row?.uid, row?.ACL]).toEqual(['1', {}])
  expect(await find('1', { token: other.token })).toHaveLength(1)
  expect(await find('1')).toHaveLength(0)
  expect(await find('1', { token: (await createWalletUser(server)).token })).toHaveLength(0)

  const own = { token: me.token }
  const one = await server.call('GET', `/classes/OwnSale/${row?.objectId}`, undefined, own)
  const sale = { __type: 'Pointer', className: 'OwnSale', objectId: row?.objectId }
  await server.call('POST', '/classes/Note', { sale }, master)
  const included = await server.call('GET', '/classes/Note?include=sale', undefined, own)
  expect(included.text).toContain('"uid":"1"')
  const exported = await server.call('GET', '/auth/export', undefined, own)
  expect(exported.text).toContain('"uid":"1"')
  for (const { status, text: answer } of [one, included, exported]) {
    expect(status).toBe(200)
    expect(answer).not.toContain(other.objectId)
  }
})

test('SEC-60: neither an access list nor a query of one is a way around it', async () => {
  const asked = [{ ACL: { [other.objectId]: { read: true } } }, { _rperm: other.objectId }, { '_rperm.0': '*wallets' }]
  for (const where of asked) {
    const path = `/classes/OwnSale?where=${encodeURIComponent(JSON.stringify(where))}`
    const { status, body } = await server.call('GET', path, undefined, { token: me.token })
    expect([where, status >= 400 || (body.results as unknown[]).length === 0]).toEqual([where, true])
  }
  const made = await server.call('POST', '/classes/Own', { ACL: { '*wallets': { read: true } } }, { token: me.token })
  expect([made.status, made.body.code]).toEqual([400, 123])
})

test('SEC-60: live events name no other user, and are silent when another wallet is linked or unlinked', async () => {
  const later = privateKeyToAccount(generatePrivateKey())
  const socket = await openLiveSocket(server)
  const mine = { sessionToken: me.token }
  await socket.subscribe(1, { className: 'OwnSale', where: {} }, mine)
  await sell(2n, me.account.address, later.address)
  const created = await socket.next(({ op, object }) => op === 'create' && object?.uid === '2')
  expect(created.object?.ACL).toEqual({})

  const linked = await createWalletUser(server, later)
  await expect.poll(async () => (await find('2', { token: linked.token })).length, patience).toBe(1)
  const their = await openLiveSocket(server)
  await their.subscribe(1, { className: 'OwnSale', where: {} }, { sessionToken: linked.token })
  await server.context.db.query(sql`delete from countersign.wallets where address = ${lower(later.address)}`)
  // The owner is notified.
  await their.next(({ op, object }) => op === 'leave' && object?.uid === '2')
  await sell(3n, me.account.address, other.account.address)
  await socket.next(({ op, object }) => op === 'create' && object?.uid === '3')
  await chain.mine(5)
  await socket.next(({ op, object }) => op === 'update' && object?.uid === '3')
  const told = socket.frames
    .filter(({ object }) => object?.uid === '2')
    .map(({ op, object }) => [op, object?.confirmed])
  expect(told).toEqual([
    ['create', false],
    ['update', true],
  ])
  expect(JSON.stringify(socket.frames)).not.toContain(linked.objectId)
  expect(JSON.stringify(socket.frames)).not.toContain(other.objectId)
  socket.close()
  their.close()
})

test('SEC-60: a webhook and the hooks of the application get no list of users', async () => {
  const received: string[] = []
  const receiver = createServer(async (request, response) => {
    received.push(await text(request))
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const made = await server.call('POST', '/webhooks', { url, events: ['object.created'], classes: ['OwnSale'] }, master)
  expect(made.status, made.text).toBe(201)
  const seen: string[] = []
  const watch = async ({ object }: { object?: unknown }) => void seen.push(JSON.stringify(object))
  server.context.registry.hooks.set('afterSave OwnSale', [watch as never])
  await sell(4n, me.account.address, other.account.address)
  await expect.poll(() => received.length + seen.length, patience).toBeGreaterThanOrEqual(2)
  server.context.registry.hooks.delete('afterSave OwnSale')
  for (const body of [...received, ...seen]) {
    expect(body).toContain('"uid":"4"')
    expect(body).not.toContain(other.objectId)
    expect(body).not.toContain(me.objectId)
  }
  expect(await find('4', { token: other.token })).toHaveLength(1)
  receiver.closeAllConnections()
  receiver.close()
})
