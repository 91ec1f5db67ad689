import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../db/sql.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { deployer } from '../../testing/chain/deployer.ts'
import { type ArtifactName, getArtifact } from '../../testing/chain/getArtifact.ts'
import { delegate7702 } from '../../testing/chain/smartAccounts/delegate7702.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'
import { type Signer, signInWith } from '../../testing/signIn.ts'

const master = { master: true }
const patience = { timeout: 60_000, interval: 20 }

let node: Chain
let server: TestServer
let token: Address
let pictures: Address
let badges: Address
let made = 0

beforeAll(async () => {
  node = await startChain()
  node.finality = 10
  pictures = await deployContract(node, getArtifact('Pictures'), ['Pictures', 'PIC'])
  badges = await deployContract(node, getArtifact('Badges'), ['Badges', 'BDG', 'data:,'])
  server = await createTestServer({
    chains: [
      {
        id: node.chainId,
        name: 'local',
        rpcUrls: [node.url],
        headCacheTtl: 0,
        timeout: 20_000,
        index: { mode: 'users', pollInterval: 50 },
      },
    ],
    // Long, so that a role that comes or goes in a moment does so by the event and not by the clock.
    tokenGates: { interval: 3_600, staleAfter: 7_200 },
  })
})

// A new token for each test: holders of another are in no role here.
beforeEach(async () => {
  token = await deployContract(node, getArtifact('Token'), ['Token', 'TOK', 18])
})

afterAll(async () => {
  await server.stop()
  await node.stop()
})

const write = (name: ArtifactName, address: Address, functionName: string, ...args: unknown[]) =>
  createDeployerClient(node).writeContract({ address, abi: getArtifact(name).abi, functionName, args })

/** A transaction of anyone's, whose key the chain does not need. */
async function act(from: Address, to: Address, name: ArtifactName, functionName: string, ...args: unknown[]) {
  const data = encodeFunctionData({ abi: getArtifact(name).abi, functionName, args })
  await node.request('hardhat_impersonateAccount', [from])
  await node.request('hardhat_setBalance', [from, '0xffffffffffffffff'])
  await node.request('eth_sendTransaction', [{ from, to, data, gas: '0x4c4b40' }])
}

type Made = { objectId: string; name: string; gate: string }

async function role(gate: object, users: string[] = []): Promise<Made> {
  const name = `holders ${++made}`
  const objects = users.map((objectId) => ({ __type: 'Pointer', className: '_User', objectId }))
  const relation = objects.length > 0 ? { users: { __op: 'AddRelation', objects } } : {}
  const created = await server.call('POST', '/roles', { name, ACL: { '*': { read: true } }, ...relation }, master)
  const gated = await server.call('POST', '/tokenGates', { role: name, chain: 'local', ...gate }, master)
  expect([gated.status, gated.body.error]).toEqual([201, undefined])
  return { name, objectId: created.body.objectId as string, gate: gated.body.objectId as string }
}

const addByHand = (to: Made, user: string, __op: 'AddRelation' | 'RemoveRelation' = 'AddRelation') => {
  const objects = [{ __type: 'Pointer', className: '_User', objectId: user }]
  return server.call('PUT', `/roles/${to.objectId}`, { users: { __op, objects } }, master)
}

/** Members of the role, as an application queries them. */
async function members({ objectId }: Made): Promise<string[]> {
  const object = { __type: 'Pointer', className: '_Role', objectId }
  const where = encodeURIComponent(JSON.stringify({ $relatedTo: { object, key: 'users' } }))
  const { body } = await server.call('GET', `/users?where=${where}`, undefined, master)
  return (body.results as { objectId: string }[]).map((user) => user.objectId)
}

const isIn = async (of: Made, user: { objectId: string }) => (await members(of)).includes(user.objectId)
const check = (of: Made) => server.call('POST', `/tokenGates/${of.gate}/check`, {}, master)
/** A failed node is not called again immediately. */
async function nodeComesBack(of: Made) {
  node.faults.down = false
  await vi.waitFor(async () => expect((await check(of)).status).toBe(200), patience)
}
const comesIn = (of: Made, user: { objectId: string }) =>
  vi.waitFor(async () => expect(await isIn(of, user)).toBe(true), patience)
const goesOut = (of: Made, user: { objectId: string }) =>
  vi.waitFor(async () => expect(await isIn(of, user)).toBe(false), patience)

async function link(user: { token: string }, account = privateKeyToAccount(generatePrivateKey())) {
  const proof = await answerChallenge(server, account, 'link', { token: user.token })
  const { body } = await server.call('POST', '/auth/wallets', proof, { token: user.token, headers: installation })
  return { account, objectId: body.objectId as string }
}

async function holder(amount = 5n): Promise<WalletUser> {
  const account = privateKeyToAccount(generatePrivateKey())
  await write('Token', token, 'mint', account.address, amount)
  return createWalletUser(server, account)
}

describe('coming and going', () => {
  test('R27: a holder gets the role at sign-in and what it opens, and loses both when the token leaves', async () => {
    const of = await role({ kind: 'erc20', token, amount: '5' })
    const user = await holder()
    const poor = await holder(4n)
    await comesIn(of, user)
    const ACL = { [`role:${of.name}`]: { read: true } }
    const { body: doc } = await server.call('POST', '/classes/Secret', { text: 'for holders', ACL }, master)
    const read = async ({ token: session }: WalletUser) =>
      (await server.call('GET', `/classes/Secret/${doc.objectId}`, undefined, { token: session })).status
    expect([await read(user), await read(poor)]).toEqual([200, 404])

    await act(user.account.address, token, 'Token', 'transfer', poor.account.address, 1n)
    await goesOut(of, user)
    await comesIn(of, poor)
    expect([await read(user), await read(poor)]).toEqual([404, 200])
    const { body } = await server.call('GET', `/tokenGates/${of.gate}`, undefined, master)
    expect(body).toMatchObject({ role: of.name, chain: node.chainId, kind: 'erc20', amount: '5', members: 1 })
  })

  test('a reorganisation that undoes the transfer brings the role back', async () => {
    const of = await role({ kind: 'erc20', token, amount: '5' })
    const user = await holder()
    await comesIn(of, user)
    await node.mine(2)
    await act(user.account.address, token, 'Token', 'transfer', deployer.address, 5n)
    await goesOut(of, user)
    await node.reorg(1)
    await comesIn(of, user)
  })

  test('each kind counts what it should', async () => {
    const user = await createWalletUser(server)
    const { address } = user.account
    const ofAny = await role({ kind: 'erc721', token: pictures })
    const ofTwo = await role({ kind: 'erc721', token: pictures, amount: '2' })
    const ofOne = await role({ kind: 'erc721', token: pictures, tokenId: '77' })
    const ofBadge = await role({ kind: 'erc1155', token: badges, tokenId: '9', amount: 3 })
    const ofEther = await role({ kind: 'native', amount: '1000000000000000000' })
    const all = [ofAny, ofTwo, ofOne, ofBadge, ofEther]
    const now = async () => {
      for (const of of all) expect((await check(of)).body.error).toBeUndefined()
      return Promise.all(all.map((of) => isIn(of, user)))
    }
    expect(await now()).toEqual([false, false, false, false, false])
    await write('Pictures', pictures, 'mint', address, 76n, 'data:,')
    await write('Badges', badges, 'mint', address, 8n, 100n)
    await write('Badges', badges, 'mint', address, 9n, 2n)
    expect(await now()).toEqual([true, false, false, false, false])
    await write('Pictures', pictures, 'mint', address, 77n, 'data:,')
    await write('Badges', badges, 'mint', address, 9n, 1n)
    await createDeployerClient(node).sendTransaction({ to: address, value: 10n ** 18n })
    expect(await now()).toEqual([true, true, true, true, true])
    await act(address, pictures, 'Pictures', 'burn', 77n)
    await act(address, badges, 'Badges', 'burn', 9n, 1n)
    await node.request('hardhat_setBalance', [address, '0x1'])
    expect(await now()).toEqual([true, false, false, false, false])
  })

  test('any of several wallets, and any of several gates of a role, is enough', async () => {
    const of = await role({ kind: 'erc20', token, amount: '50' })
    await server.call(
      'POST',
      '/tokenGates',
      { role: of.name, chain: node.chainId, kind: 'erc721', token: pictures },
      master,
    )
    const user = await createWalletUser(server)
    const { account } = await link(user)
    await write('Pictures', pictures, 'mint', account.address, 500n, 'data:,')
    await comesIn(of, user)
  })
})

describe('limits of a gate, and what must not outlive it', () => {
  test('a membership made by hand stays, whichever came first', async () => {
    const user = await holder()
    const byHand = await createWalletUser(server)
    const of = await role({ kind: 'erc20', token, amount: '5' }, [byHand.objectId])
    await comesIn(of, user)
    await addByHand(of, user.objectId)
    await act(user.account.address, token, 'Token', 'transfer', deployer.address, 5n)
    await check(of)
    expect((await members(of)).sort()).toEqual([user.objectId, byHand.objectId].sort())
    await server.call('DELETE', `/tokenGates/${of.gate}`, undefined, master)
    expect((await members(of)).sort()).toEqual([user.objectId, byHand.objectId].sort())
    await addByHand(of, user.objectId, 'RemoveRelation')
    expect(await members(of)).toEqual([byHand.objectId])
  })

  test('with the gate goes what it gave; with the role goes the gate', async () => {
    const user = await holder()
    const of = await role({ kind: 'erc20', token, amount: '5' })
    await comesIn(of, user)
    expect((await server.call('DELETE', `/tokenGates/${of.gate}`, undefined, master)).status).toBe(200)
    expect(await members(of)).toEqual([])
    const other = await role({ kind: 'erc20', token, amount: '5' })
    await server.call('DELETE', `/roles/${other.objectId}`, undefined, master)
    expect((await server.call('GET', `/tokenGates/${other.gate}`, undefined, master)).status).toBe(404)
  })

  test('an unlinked wallet opens nothing from that moment on, even while no node responds', async () => {
    const user = await createWalletUser(server)
    const { account, objectId } = await link(user)
    await write('Token', token, 'mint', account.address, 5n)
    const of = await role({ kind: 'erc20', token, amount: '5' })
    await comesIn(of, user)
    node.faults.down = true
    const gone = await server.call('DELETE', `/auth/wallets/${objectId}`, undefined, { token: user.token })
    expect([gone.status, await isIn(of, user)]).toEqual([200, false])
    await server.call('POST', `/auth/wallets/${objectId}/restore`, {}, { token: user.token })
    expect(await isIn(of, user)).toBe(false)
    await nodeComesBack(of)
    await comesIn(of, user)
  })

  test('a merge takes the role along, and leaves it no longer than the token', async () => {
    const of = await role({ kind: 'erc20', token, amount: '5' })
    const from = await holder()
    await comesIn(of, from)
    const into = await createWalletUser(server)
    const proof = await answerChallenge(server, from.account, 'merge', { token: into.token })
    const seen = await server.call('POST', '/auth/merges', proof, { token: into.token, headers: installation })
    const done = await server.call('POST', `/auth/merges/${seen.body.objectId}`, {}, { token: into.token })
    expect([done.status, await members(of)]).toEqual([200, [into.objectId]])
    await act(from.account.address, token, 'Token', 'transfer', deployer.address, 5n)
    await goesOut(of, into)
  })

  test('while no node responds the last state stays, but not forever; then it recovers with the node', async () => {
    const user = await holder()
    const of = await role({ kind: 'erc20', token, amount: '5' })
    await comesIn(of, user)
    node.faults.down = true
    const failed = await check(of)
    expect([failed.status, await isIn(of, user)]).toEqual([400, true])
    const { body } = await server.call('GET', `/tokenGates/${of.gate}`, undefined, master)
    expect(body.error).toContain('No node of this chain is responding')
    const { db, clock } = server.context
    await vi.waitFor(async () => {
      // Repeated: a check that had its results before the node went down may still be written.
      const seen = new Date(clock.now().getTime() - 7_201_000)
      await db.query(sql`update countersign.gate_holders set seen = ${seen} where gate = ${of.gate}`)
      await db.query(sql`select pg_notify('countersign_gates', '')`)
      expect(await isIn(of, user)).toBe(false)
    }, patience)
    await nodeComesBack(of)
    expect(await isIn(of, user)).toBe(true)
  })

  test('a removed block blocks nobody for longer than that', async () => {
    const user = await holder()
    const of = await role({ kind: 'erc20', token, amount: '5' })
    await comesIn(of, user)
    const { db, clock } = server.context
    await vi.waitFor(async () => {
      // Repeated: the check that let the user in may still be written.
      await db.query(sql`
        update countersign.gate_holders set held = false, block = 1000000000,
          seen = ${new Date(clock.now().getTime() - 7_201_000)}
        where gate = ${of.gate}`)
      await db.query(sql`select countersign.refresh_gated(null, null)`)
      expect(await isIn(of, user)).toBe(false)
    }, patience)
    await check(of)
    expect(await isIn(of, user)).toBe(true)
  })
})

describe('contract accounts', () => {
  const as = (address: Address, key: ReturnType<typeof createWallet>): Signer => ({
    address,
    signMessage: (message) => key.signMessage(message),
  })
  const signIn = async (signer: Signer) => {
    const { status, body } = await signInWith(server, signer, { chainId: node.chainId })
    return { status, objectId: body.objectId as string, token: body.sessionToken as string }
  }
  const delegateTo = async (key: ReturnType<typeof createWallet>, device: ReturnType<typeof createWallet>) =>
    delegate7702(node, key, await deployContract(node, getArtifact('KeyHolder'), [device.address]))
  /** Back to the key alone (EIP-7702: delegated to nothing). */
  async function withdraw(key: ReturnType<typeof createWallet>) {
    await delegate7702(node, key, zeroAddress).catch((error: Error) => expect(error.message).toContain('not taken'))
    expect(await node.request('eth_getCode', [key.address, 'latest'])).toBe('0x')
  }

  test('SEC-23: a delegate whose delegation was withdrawn or changed counts no more, until proven again', async () => {
    const of = await role({ kind: 'erc20', token, amount: '5' })
    const [key, device] = [createWallet(), createWallet()]
    await write('Token', token, 'mint', key.address, 5n)
    await delegateTo(key, device)
    const user = await signIn(as(key.address, device))
    expect(user.status).toBe(201)
    await comesIn(of, user)

    await withdraw(key)
    expect((await check(of)).status).toBe(200)
    expect(await isIn(of, user)).toBe(false)
    expect((await signIn(as(key.address, device))).status).toBe(401)
    await check(of)
    expect(await isIn(of, user)).toBe(false)

    // The same delegate by other code: what was proven was the other.
    await delegateTo(key, device)
    await check(of)
    expect(await isIn(of, user)).toBe(false)
    // A proof for linking to another account is rejected for this one.
    const other = await createWalletUser(server)
    const link = await answerChallenge(server, as(key.address, device), 'link', { token: other.token }, node.chainId)
    const refused = await server.call('POST', '/auth/wallets', link, { token: other.token, headers: installation })
    expect(refused.status).toBe(409)
    await check(of)
    expect(await isIn(of, user)).toBe(false)
    expect(await signIn(as(key.address, device))).toMatchObject({ status: 200, objectId: user.objectId })
    await comesIn(of, user)

    // Changed to somebody else's.
    await delegateTo(key, createWallet())
    await check(of)
    expect(await isIn(of, user)).toBe(false)
  })

  test('SEC-23: a contract that stays what it was counts; one whose code is not known does not', async () => {
    const of = await role({ kind: 'erc20', token, amount: '5' })
    const owner = createWallet()
    const address = await deploySmartAccount(node, { owner: owner.address, salt: 'gated' })
    await write('Token', token, 'mint', address, 5n)
    const user = await signIn(as(address, owner))
    await comesIn(of, user)
    await check(of)
    expect(await isIn(of, user)).toBe(true)
    const { db } = server.context
    // As wallets are that were linked before codes were kept.
    await db.query(sql`update countersign.wallets set code_hash = null where "user" = ${user.objectId}`)
    await check(of)
    expect(await isIn(of, user)).toBe(false)
    const proof = await answerChallenge(
      server,
      as(address, owner),
      'reauthenticate',
      { token: user.token },
      node.chainId,
    )
    const again = await server.call('POST', '/auth/reauthenticate', proof, { token: user.token, headers: installation })
    expect([again.status, again.body.error]).toEqual([200, undefined])
    await comesIn(of, user)
    // Proven before it was deployed: who will own it is not known.
    const set = (provisional: boolean) =>
      db.query(sql`update countersign.wallets set provisional = ${provisional} where "user" = ${user.objectId}`)
    await set(true)
    await check(of)
    expect(await isIn(of, user)).toBe(false)
    await set(false)
    await check(of)
    expect(await isIn(of, user)).toBe(true)
    // A node without an opinion on the code does not count: the last state stays.
    await node.mine()
    node.faults.answer = (method) => (method === 'eth_getCode' ? null : undefined)
    const failed = await check(of)
    delete node.faults.answer
    expect([failed.status, await isIn(of, user)]).toEqual([400, true])
  })
})

test('rejects an invalid gate with a sentence that says why', async () => {
  await server.call('POST', '/roles', { name: 'plain', ACL: {} }, master)
  const refused = async (gate: object) => {
    const whole = { role: 'plain', chain: 'local', kind: 'erc20', token, ...gate }
    const { status, body } = await server.call('POST', '/tokenGates', whole, master)
    return `${status}/${body.code} ${body.error}`
  }
  expect(await refused({ role: 'nosuch' })).toContain('404/101 Role not found')
  expect(await refused({ role: undefined })).toContain('400/135 role is required')
  expect(await refused({ chain: undefined })).toContain('400/135 chain is required')
  expect(await refused({ chain: 'nowhere' })).toContain('400/162 This server has no chain')
  expect(await refused({ kind: 'erc777' })).toContain('400/162 kind must be')
  expect(await refused({ token: '0x12' })).toContain('400/162 token must be an address')
  expect(await refused({ token: deployer.address })).toContain('400/162 There is no contract')
  expect(await refused({ kind: 'erc721', token: badges })).toContain('The contract is erc1155')
  const uncounted = await deployContract(node, getArtifact('Collectible'))
  expect(await refused({ kind: 'erc721', token: uncounted })).toContain('does not implement balanceOf')
  expect(await refused({ kind: 'erc1155', token: badges })).toContain('tokenId is required')
  expect(await refused({ kind: 'erc721', token: pictures, tokenId: '1', amount: '2' })).toContain('an amount of one')
  expect(await refused({ kind: 'native' })).toContain('token is not used')
  for (const amount of ['0', '-1', '1.5', 'many', `1${'0'.repeat(78)}`, {}, 1e30])
    expect(await refused({ amount })).toMatch(/^400\/162 amount (of a gate )?must/)
  const { body } = await server.call('GET', '/tokenGates?role=plain', undefined, master)
  expect(body.results).toEqual([])
})

test('an address is tried before a gate exists, and gets no role by it', async () => {
  const holder = privateKeyToAccount(generatePrivateKey()).address
  await write('Token', token, 'mint', holder, 7n)
  const ask = (query: string) => server.call('GET', `/console/tokenGateTest?chain=local&${query}`, undefined, master)
  const asked = `kind=erc20&token=${token}&address=${holder}`
  expect((await ask(`${asked}&amount=7`)).body).toMatchObject({ isHeld: true, amount: '7' })
  expect((await ask(`${asked}&amount=8`)).body).toMatchObject({ isHeld: false, amount: '7' })
  expect((await ask(`kind=erc20&token=${zeroAddress}&address=${holder}`)).status).toBe(400)
  expect((await ask(`kind=erc20&token=${token}&address=0x12`)).status).toBe(400)
  expect((await ask(`kind=erc1155&token=${badges}&address=${holder}`)).status).toBe(400)
})
