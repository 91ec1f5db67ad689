import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'

const account = privateKeyToAccount(`0x${'9'.repeat(64)}`)
const me = account.address.toLowerCase()
const someone = `0x${'ab'.repeat(20)}`
const patience = { timeout: 30_000 }
const master = { master: true }

let chain: Chain
let server: TestServer
let user: WalletUser

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 3
  await chain.request('hardhat_impersonateAccount', [me])
  await chain.request('hardhat_setBalance', [me, '0xffffffffffffffffffff'])
  server = await createTestServer({
    indexer: { sentPerUser: 5 },
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], headCacheTtl: 0 }],
  })
  user = await createWalletUser(server, account)
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const send = async (more: object = {}) =>
  String(
    await chain.request('eth_sendTransaction', [{ from: me, to: someone, value: '0x5', gas: '0x4c4b40', ...more }]),
  )
const path = (hash: string, on = 'local') => `/chain/${on}/transactions/${hash}/follow`
const follow = (hash: string, body: object = {}, options: object = { token: user.token }) =>
  server.call('POST', path(hash), body, options)
const read = async (hash: string) => {
  const where = encodeURIComponent(JSON.stringify({ hash }))
  const { body } = await server.call('GET', `/classes/SentTransaction?where=${where}`, undefined, { token: user.token })
  return (body.results as Record<string, unknown>[])[0]
}
const statusOf = (hash: string) => expect.poll(async () => (await read(hash))?.status, patience)
/** Looks are a thirtieth of the age apart: in a moment of the server's time all are due. */
const look = () => server.clock.forward(61_000)

test('R27: a transaction that was sent is a document of its sender, followed live until it is final', async () => {
  await chain.request('evm_setAutomine', [false])
  const hash = await send()
  const socket = await openLiveSocket(server)
  try {
    const made = await follow(hash, { data: { order: 'o1' } })
    expect(made.body).toMatchObject({
      chain: chain.chainId,
      hash,
      status: 'pending',
      confirmed: false,
      data: { order: 'o1' },
      user: { objectId: user.objectId },
      ACL: { [user.objectId]: { read: true } },
    })
    await socket.subscribe(1, { className: 'SentTransaction', where: { hash } }, { sessionToken: user.token })
    const seen = (status: string) => socket.next((frame) => frame.op === 'update' && frame.object?.status === status)
    await chain.mine()
    await chain.request('evm_setAutomine', [true])
    look()
    expect((await seen('mined')).object).toMatchObject({
      from: me,
      to: someone,
      value: '5',
      isOwn: true,
      gasUsed: '21000',
      block: expect.any(Number),
      confirmed: false,
    })
    await chain.mine(4)
    look()
    expect((await seen('final')).object).toMatchObject({ confirmed: true, fee: expect.stringMatching(/^\d+$/) })
    expect((await follow(hash.toUpperCase().replace('0X', '0x'))).body.objectId).toBe(made.body.objectId)
  } finally {
    socket.close()
  }
})

test('a failed one is reverted; one whose block is removed is pending again, and confirmed later', async () => {
  const token = await deployContract(chain, getArtifact('Token'), ['Token', 'TOK', 18])
  // The contract has no such function and reverts.
  await chain.request('evm_setAutomine', [false])
  const failed = await send({ to: token, value: '0x0', data: '0xdeadbeef' })
  await chain.mine()
  await chain.request('evm_setAutomine', [true])
  await follow(failed)
  look()
  await statusOf(failed).toBe('reverted')
  await chain.mine(4)
  look()
  await expect.poll(async () => (await read(failed))?.confirmed, patience).toBe(true)

  const hash = await send()
  await follow(hash)
  look()
  await statusOf(hash).toBe('mined')
  await chain.reorg(1)
  look()
  await expect.poll(async () => (await read(hash))?.status, patience).not.toBe('mined')
  expect(await read(hash)).not.toHaveProperty('blockHash')
})

test('one whose place another took is replaced; one that no node knows is dropped', async () => {
  await chain.request('evm_setAutomine', [false])
  const nonce = await chain.request('eth_getTransactionCount', [me, 'latest'])
  const first = await send({ nonce, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' })
  await follow(first)
  look()
  await expect.poll(async () => (await read(first))?.from, patience).toBe(me)
  const second = await send({ nonce, value: '0x6', maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e80' })
  await chain.mine()
  await chain.request('evm_setAutomine', [true])
  look()
  await statusOf(first).toBe('replaced')
  expect((await read(first))?.confirmed).toBe(false)
  await chain.mine(4)
  look()
  await expect.poll(async () => (await read(first))?.confirmed, patience).toBe(true)
  await follow(second)
  look()
  await statusOf(second).toBe('final')

  const nowhere = `0x${'12'.repeat(32)}`
  await follow(nowhere)
  look()
  await statusOf(nowhere).toBe('pending')
  server.clock.forward(31 * 60_000)
  await statusOf(nowhere).toBe('dropped')
})

test("others see nothing of it and write nothing; somebody else's transaction says so", async () => {
  const hash = await send()
  const { body } = await follow(hash)
  const other = await createWalletUser(server)
  const document = `/classes/SentTransaction/${body.objectId}`
  for (const options of [{}, { token: other.token }]) {
    expect((await server.call('GET', document, undefined, options)).body.code).toBe(101)
  }
  for (const options of [{}, { token: other.token }, { token: user.token }]) {
    expect((await server.call('PUT', document, { status: 'final' }, options)).body.code).toBe(119)
    const forged = { hash, chain: chain.chainId, status: 'final', isOwn: true }
    expect((await server.call('POST', '/classes/SentTransaction', forged, options)).body.code).toBe(119)
    expect((await server.call('DELETE', document, undefined, options)).body.code).toBe(119)
  }
  const foreign = await follow(hash, {}, { token: other.token })
  expect(foreign.body.objectId).not.toBe(body.objectId)
  look()
  const isOwn = async () =>
    (await server.call('GET', `/classes/SentTransaction/${foreign.body.objectId}`, undefined, master)).body.isOwn
  await expect.poll(isOwn, patience).toBe(false)
})

test('it takes a session, a hash, a chain that is configured, and not too many at a time', async () => {
  const hash = `0x${'34'.repeat(32)}`
  expect((await follow(hash, {}, {})).body.code).toBe(209)
  expect((await follow(hash, {}, master)).body.code).toBe(209)
  expect((await follow('0x12')).status).toBe(400)
  expect((await server.call('POST', path(hash, 'nosuch'), {}, { token: user.token })).status).toBe(400)
  expect((await follow(hash, { data: { text: 'x'.repeat(5_000) } })).body.error).toMatch(/4096 characters/)
  const other = await createWalletUser(server)
  const many = Array.from({ length: 8 }, (_, index) => `0x${String(index).repeat(64)}`)
  const answers = await Promise.all(many.map((each) => follow(each, {}, { token: other.token })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.find(({ status }) => status !== 200)?.body.code).toBe(155)
})
