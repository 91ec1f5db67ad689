import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { delegate7702 } from '../../testing/chain/smartAccounts/delegate7702.ts'
import { deploySafe } from '../../testing/chain/smartAccounts/deploySafe.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
import { predictSmartAccount } from '../../testing/chain/smartAccounts/predictSmartAccount.ts'
import { signAsSafe } from '../../testing/chain/smartAccounts/signAsSafe.ts'
import { wrap6492 } from '../../testing/chain/smartAccounts/wrap6492.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { askChallenge, present, type Signer, signInWith } from '../../testing/signIn.ts'

let one: Chain
let two: Chain
let server: TestServer

beforeAll(async () => {
  one = await startChain({ chainId: 31_337 })
  two = await startChain({ chainId: 1337 })
  server = await createTestServer({
    chains: [
      { id: one.chainId, rpcUrls: [one.url] },
      { id: two.chainId, rpcUrls: [two.url] },
    ],
    wallet: { nodeTimeout: 700 },
  })
})
afterAll(async () => {
  await server.stop()
  await one.stop()
  await two.stop()
})

const on = (chain: Chain) => ({ chainId: chain.chainId })
const as = (address: string, owner: Signer): Signer => ({
  address,
  signMessage: (message) => owner.signMessage(message),
})
const users = async () => (await server.context.db.query(sql`select 1 from "_User"`)).length

describe('accounts on a real chain', () => {
  test('a key pair is one person on every chain', async () => {
    const key = createWallet()
    const first = await signInWith(server, key, on(one))
    const second = await signInWith(server, key, on(two))
    const third = await signInWith(server, key, { chainId: 8453 })
    expect([first.status, second.status, third.status]).toEqual([201, 200, 200])
    expect([second.body.objectId, third.body.objectId]).toEqual([first.body.objectId, first.body.objectId])
  })

  test('a deployed contract account (ERC-1271) signs in only through its owner', async () => {
    const owner = createWallet()
    const address = await deploySmartAccount(one, { owner: owner.address, salt: 'deployed' })
    const answer = await signInWith(server, as(address, owner), on(one))
    expect([answer.status, answer.body.ethAddress]).toEqual([201, undefined])
    const { body } = await server.call('GET', '/auth/wallets', undefined, { token: answer.body.sessionToken as string })
    expect(body.results).toMatchObject([{ address, kind: 'contract', chainId: '31337', primary: true }])
    const stranger = await signInWith(server, as(address, createWallet()), on(one))
    expect([stranger.status, stranger.body.error]).toEqual([401, 'The signature does not match the account.'])
  })

  test('a contract account that is not deployed yet (ERC-6492) signs in, and is not deployed by that', async () => {
    const owner = createWallet()
    const seed = { owner: owner.address, salt: 'later' }
    const address = predictSmartAccount(seed)
    const signer: Signer = { address, signMessage: async (text) => wrap6492(seed, await owner.signMessage(text)) }
    const answer = await signInWith(server, signer, on(one))
    expect([answer.status, answer.body.ethAddress]).toEqual([201, undefined])
    expect(await one.request('eth_getCode', [address, 'latest'])).toBe('0x')
    expect(one.faults.calls.eth_sendRawTransaction).toBeUndefined()
    const thief: Signer = {
      address,
      signMessage: async (text) => wrap6492(seed, await createWallet().signMessage(text)),
    }
    expect((await signInWith(server, thief, on(one))).status).toBe(401)
    await deploySmartAccount(one, seed)
    const later = await signInWith(server, as(address, owner), on(one))
    expect([later.status, later.body.objectId]).toEqual([200, answer.body.objectId])
  })

  test('a Safe of two in three signs in; one owner alone does not', async () => {
    const owners = [createWallet(), createWallet(), createWallet()]
    const safe = await deploySafe(one, { owners: owners.map(({ address }) => address), threshold: 2 })
    const signer = (count: number): Signer => ({
      address: safe.address,
      signMessage: ({ message }) => signAsSafe(safe, owners.slice(0, count), message),
    })
    expect((await signInWith(server, signer(1), on(one))).status).toBe(401)
    expect((await signInWith(server, signer(2), on(one))).status).toBe(201)
  })

  test('a delegated key pair (EIP-7702) signs in by its own key as itself, and by its delegate on that chain', async () => {
    const key = createWallet()
    const device = createWallet()
    await delegate7702(one, key, await deployContract(one, getArtifact('KeyHolder'), [device.address]))
    const own = await signInWith(server, key, on(one))
    expect(own.status).toBe(201)
    const delegated = await signInWith(server, as(key.address, device), on(one))
    expect(delegated.status).toBe(201)
    expect(delegated.body.objectId).not.toBe(own.body.objectId)
    expect((await signInWith(server, as(key.address, device), on(two))).status).toBe(401)
  })

  test('S8: the same contract address with other owners on two chains are two users', async () => {
    const [alice, bob] = [createWallet(), createWallet()]
    const address = await deploySmartAccount(one, { owner: alice.address, salt: 'shared' })
    expect(await deploySmartAccount(two, { owner: bob.address, salt: 'shared' })).toBe(address)
    const onOne = await signInWith(server, as(address, alice), on(one))
    const onTwo = await signInWith(server, as(address, bob), on(two))
    expect([onOne.status, onTwo.status]).toEqual([201, 201])
    expect(onTwo.body.objectId).not.toBe(onOne.body.objectId)
    expect((await signInWith(server, as(address, bob), on(one))).status).toBe(401)
    expect((await signInWith(server, as(address, alice), on(two))).status).toBe(401)
  })

  test('S9: a signature for one account of an owner is not one for another account of the same owner', async () => {
    const owner = createWallet()
    const a = await deploySmartAccount(one, { owner: owner.address, salt: 'a' })
    const b = await deploySmartAccount(one, { owner: owner.address, salt: 'b' })
    const challenge = await askChallenge(server, a, on(one))
    const message = challenge.body.message as string
    const signature = await owner.signMessage({ message })
    const swapped = await present(server, { message: message.replace(a, b), signature })
    expect(swapped.status).toBe(401)
    // Nor is one requested for A and signed for B.
    const asked = (await askChallenge(server, a, on(one))).body.message as string
    const other = asked.replace(a, b)
    expect(
      (await present(server, { message: other, signature: await owner.signMessage({ message: other }) })).status,
    ).toBe(401)
    expect(
      await server.context.db.query(sql`select 1 from countersign.wallets where address = ${b.toLowerCase()}`),
    ).toEqual([])
  })
})

describe('S10: an unreachable chain blocks the sign-in', () => {
  const refused = async (signer: Signer, chain: Chain) => {
    const before = await users()
    const answer = await signInWith(server, signer, on(chain))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(await users()).toBe(before)
    return answer.body
  }

  test.each([
    ['down', { down: true }],
    ['too slow', { latencyMs: 2_000 }],
    ['failing', { status: 500 }],
    ['limiting', { status: 429 }],
    ['answering nonsense', { body: '<html>' }],
    ['of another chain', { answer: (method: string) => (method === 'eth_chainId' ? '0x1' : undefined) }],
    ['without an answer to the call', { answer: (method: string) => (method === 'eth_call' ? null : undefined) }],
  ])('a node that is %s', async (_name, fault) => {
    const owner = createWallet()
    const address = await deploySmartAccount(one, { owner: owner.address, salt: `fault ${_name}` })
    Object.assign(one.faults, fault)
    try {
      const body = await refused(as(address, owner), one)
      expect(body.error).toMatch(/could not be checked on chain 31337|does not match/)
    } finally {
      Object.assign(one.faults, { down: false, latencyMs: 0, status: undefined, body: undefined, answer: undefined })
    }
    expect((await signInWith(server, as(address, owner), on(one))).status).toBe(201)
  })

  test('a chain without a node', async () => {
    const body = await refused(as(predictSmartAccount({ salt: 'nowhere' }), createWallet()), { chainId: 137 } as Chain)
    expect(body).toMatchObject({ code: 100, error: expect.stringContaining('No node of that chain is configured') })
  })

  test.each(['Reverting', 'GasBurner'] as const)('a contract that is %s', async (name) => {
    const address = await deployContract(one, getArtifact(name))
    // A contract that burns its gas may also exceed the node's time limit.
    expect([100, 101]).toContain((await refused(as(address, createWallet()), one)).code)
    // It may go on burning after the timeout; the chain handles one request at a time.
    await one.request('eth_chainId')
  })

  test('an address without a contract and a signature of another key', async () => {
    expect((await refused(as(createWallet().address, createWallet()), one)).error).toBe(
      'The signature does not match the account.',
    )
  })

  test('with a quorum of two, one lying node is not enough', async () => {
    const liar = await startChain({ chainId: 31_337 })
    const strict = await createTestServer(
      { chains: [{ id: 31_337, rpcUrls: [liar.url, one.url], quorum: 2 }] },
      server.database,
    )
    try {
      const [owner, thief] = [createWallet(), createWallet()]
      const address = await deploySmartAccount(one, { owner: owner.address, salt: 'quorum' })
      await deploySmartAccount(liar, { owner: thief.address, salt: 'quorum' })
      expect((await signInWith(strict, as(address, thief), on(one))).status).toBe(401)
      liar.faults.down = true
      expect((await signInWith(strict, as(address, owner), on(one))).body.code).toBe(100)
    } finally {
      await strict.stop()
      await liar.stop()
    }
  })
})
