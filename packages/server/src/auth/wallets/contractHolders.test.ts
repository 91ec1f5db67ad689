import { type Address, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPeople } from '../../testing/accounts/createPeople.ts'
import type { Person } from '../../testing/accounts/Person.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { delegate7702 } from '../../testing/chain/smartAccounts/delegate7702.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
import { predictSmartAccount } from '../../testing/chain/smartAccounts/predictSmartAccount.ts'
import { wrap6492 } from '../../testing/chain/smartAccounts/wrap6492.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { askChallenge, asker, type Signer, signInWith } from '../../testing/signIn.ts'
import { fateOf, type Power } from '../../users/holders/powers.ts'

const master = { master: true }
const on = { chainId: 31_337 }
type Key = ReturnType<typeof createWallet>

let chain: Chain
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  server = await createTestServer({
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], headCacheTtl: 0 }],
    tokenGates: { interval: 3_600, staleAfter: 7_200 },
    rateLimit: [],
    auth: { social: { validateAuthData: async () => {} }, former: { validateAuthData: async () => {} } },
    emailCode: { enabled: true },
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const as = (address: Address, key: Key): Signer => ({
  address,
  signMessage: (message) => key.signMessage(message),
})

async function signIn(signer: Signer) {
  const { status, body } = await signInWith(server, signer, on)
  return { status, objectId: body.objectId as string, token: body.sessionToken as string }
}

async function prove(signer: Signer, purpose: string, path: string, token: string) {
  const message = (await askChallenge(server, signer.address, { ...on, token, purpose })).body.message as string
  const signature = await signer.signMessage({ message })
  return server.call('POST', path, { message, signature }, { token, headers: asker })
}

const addressesOf = async (token: string) => {
  const { body } = await server.call('GET', '/auth/wallets', undefined, { token })
  return (body.results as { address: string }[]).map(({ address }) => address.toLowerCase())
}

/** An account that is bound to a token, of its holder. */
async function createBound(holder: Key) {
  const deed = await deployContract(chain, getArtifact('Deed'), [holder.address])
  const address = await deployContract(chain, getArtifact('BoundAccount'), [deed])
  const sell = (to: Key) =>
    createDeployerClient(chain).writeContract({
      address: deed,
      abi: getArtifact('Deed').abi,
      functionName: 'buy',
      args: [to.address],
      value: parseEther('1'),
    })
  return { address, sell }
}

const delegateTo = async (key: Key, device: Key) =>
  delegate7702(chain, key, await deployContract(chain, getArtifact('KeyHolder'), [device.address]))

describe('SEC-42: a contract account that has another holder now', () => {
  test('bound to a token that was sold: the buyer gets an account of their own, the seller keeps theirs', async () => {
    const [seller, buyer, spare] = [createWallet(), createWallet(), createWallet()]
    const { address, sell } = await createBound(seller)
    const before = await signIn(as(address, seller))
    expect(before.status).toBe(201)
    expect((await prove(spare, 'link', '/auth/wallets', before.token)).status).toBe(201)
    expect((await signIn(as(address, seller))).objectId).toBe(before.objectId)

    await sell(buyer)
    const after = await signIn(as(address, buyer))
    expect([after.status, after.objectId === before.objectId]).toEqual([201, false])
    expect(await addressesOf(after.token)).toEqual([address.toLowerCase()])
    expect((await signIn(as(address, seller))).status).toBe(401)
    // The seller keeps the account without the wallet, and was notified.
    const still = await signIn(spare)
    expect(still.objectId).toBe(before.objectId)
    expect(await addressesOf(still.token)).toEqual([spare.address.toLowerCase()])
    const { body } = await server.call('GET', '/auth/activity', undefined, { token: still.token })
    const noted = (body.results as { action: string; ipAddress?: string }[]).find(
      ({ action }) => action === 'unlinkWallet',
    )
    expect(noted?.ipAddress || undefined).toBeUndefined()
    // Bought back, it is the seller's by another account than the buyer's.
    await sell(seller)
    const again = await signIn(as(address, seller))
    expect([again.status, again.objectId === after.objectId]).toEqual([201, false])
  })

  test('the buyer neither merges nor confirms the account of the seller, and may link the wallet to their own', async () => {
    const [seller, buyer] = [createWallet(), createWallet()]
    const { address, sell } = await createBound(seller)
    const before = await signIn(as(address, seller))
    const own = await signIn(buyer)
    await sell(buyer)
    expect((await prove(as(address, buyer), 'reauthenticate', '/auth/reauthenticate', before.token)).status).toBe(401)
    expect((await prove(as(address, buyer), 'merge', '/auth/merges', own.token)).body).toMatchObject({
      reason: 'walletWithoutAccount',
    })
    expect((await prove(as(address, buyer), 'link', '/auth/wallets', own.token)).status).toBe(201)
    expect(await addressesOf(own.token)).toContain(address.toLowerCase())
    expect((await signIn(as(address, buyer))).objectId).toBe(own.objectId)
  })

  test('delegated to another key (EIP-7702): a separate account; the same key by other code is the same holder', async () => {
    const [key, first, second] = [createWallet(), createWallet(), createWallet()]
    await delegateTo(key, first)
    const before = await signIn(as(key.address, first))
    expect(before.status).toBe(201)
    await delegateTo(key, first)
    expect(await signIn(as(key.address, first))).toMatchObject({ status: 200, objectId: before.objectId })
    await delegateTo(key, second)
    const after = await signIn(as(key.address, second))
    expect([after.status, after.objectId === before.objectId]).toEqual([201, false])
    // The key pair itself was never the delegate's.
    expect((await signIn(key)).objectId).not.toBe(before.objectId)
  })

  test('other code behind the same address could accept the former signature: only the same key counts', async () => {
    const magic = `0x1626ba7e${'0'.repeat(56)}`
    const address = await deployContract(chain, getArtifact('FixedAnswer'), [magic])
    const [first, second] = [createWallet(), createWallet()]
    const before = await signIn(as(address, first))
    // An account that accepts several keys is that of all of them.
    expect((await signIn(as(address, second))).objectId).toBe(before.objectId)
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    await chain.request('hardhat_setStorageAt', [address, slot, `0x${'0'.repeat(24)}${'ab'.repeat(20)}`])
    expect((await signIn(as(address, second))).objectId).toBe(before.objectId)
    await chain.request('hardhat_setStorageAt', [address, slot, `0x${'0'.repeat(24)}${'cd'.repeat(20)}`])
    const third = await signIn(as(address, createWallet()))
    expect([third.status, third.objectId === before.objectId]).toEqual([201, false])
  })

  test('opens no gate for the former holder, from the sale on', async () => {
    const [seller, buyer] = [createWallet(), createWallet()]
    const { address, sell } = await createBound(seller)
    const token = await deployContract(chain, getArtifact('Token'), ['Token', 'TOK', 18])
    await createDeployerClient(chain).writeContract({
      address: token,
      abi: getArtifact('Token').abi,
      functionName: 'mint',
      args: [address, 5n],
    })
    const before = await signIn(as(address, seller))
    const role = await server.call('POST', '/roles', { name: 'bound', ACL: { '*': { read: true } } }, master)
    const gate = { role: 'bound', chain: 'local', kind: 'erc20', token, amount: '5' }
    const { objectId } = (await server.call('POST', '/tokenGates', gate, master)).body
    const members = async () => {
      expect((await server.call('POST', `/tokenGates/${objectId}/check`, {}, master)).status).toBe(200)
      const object = { __type: 'Pointer', className: '_Role', objectId: role.body.objectId }
      const where = encodeURIComponent(JSON.stringify({ $relatedTo: { object, key: 'users' } }))
      const { body } = await server.call('GET', `/users?where=${where}`, undefined, master)
      return (body.results as { objectId: string }[]).map((user) => user.objectId)
    }
    expect(await members()).toEqual([before.objectId])
    await sell(buyer)
    expect(await members()).toEqual([])
    const after = await signIn(as(address, buyer))
    expect(await members()).toEqual([after.objectId])
  })
})

describe('SEC-74: a contract account that was sold after it was unlinked', () => {
  const walletAt = async (token: string, address: string) => {
    const { body } = await server.call('GET', '/auth/wallets', undefined, { token })
    const list = body.results as { objectId: string; address: string }[]
    return list.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase())?.objectId
  }
  const restore = async (signer: Signer) => {
    const message = (await askChallenge(server, signer.address, on)).body.message as string
    const signature = await signer.signMessage({ message })
    const body = { message, signature, restoreAccount: true }
    return server.call('POST', '/auth/signInWithWallet', body, { headers: asker })
  }

  test('the buyer gets a new account; a remaining holder restores the account', async () => {
    for (const isSold of [true, false]) {
      const [seller, buyer, spare] = [createWallet(), createWallet(), createWallet()]
      const { address, sell } = await createBound(seller)
      const before = await signIn(as(address, seller))
      expect((await prove(spare, 'link', '/auth/wallets', before.token)).status).toBe(201)
      const path = `/auth/wallets/${await walletAt(before.token, address)}`
      expect((await server.call('DELETE', path, undefined, { token: before.token })).status).toBe(200)
      if (isSold) await sell(buyer)
      const answer = await restore(as(address, isSold ? buyer : seller))
      expect([isSold, answer.status, answer.body.objectId === before.objectId]).toEqual([
        isSold,
        isSold ? 201 : 200,
        !isSold,
      ])
      expect((await signIn(spare)).objectId === before.objectId).toBe(isSold)
    }
  })

  test('the buyer takes no merge of the seller back', async () => {
    const [seller, buyer, spare] = [createWallet(), createWallet(), createWallet()]
    const { address, sell } = await createBound(seller)
    const before = await signIn(as(address, seller))
    const into = await signIn(spare)
    const preview = await prove(as(address, seller), 'merge', '/auth/merges', into.token)
    expect(preview.status, preview.text).toBeLessThan(300)
    const merge = `/auth/merges/${preview.body.objectId}`
    expect((await server.call('POST', merge, {}, { token: into.token })).status).toBe(200)
    const path = `/auth/wallets/${await walletAt(into.token, address)}`
    expect((await server.call('DELETE', path, undefined, { token: into.token })).status).toBe(200)
    await sell(buyer)
    const answer = await restore(as(address, buyer))
    expect([answer.status, answer.body.objectId === before.objectId], answer.text).toEqual([201, false])
  })
})

describe('SEC-55: an account that strangers claim before it is deployed', () => {
  test('claims of strangers before and after the owner displace nobody', async () => {
    const owner = createWallet()
    const seed = (key: Key) => ({ owner: key.address, salt: 'crowded' })
    const address = predictSmartAccount(seed(owner))
    const claim = (key: Key): Signer => ({
      address,
      signMessage: async (message) => wrap6492(seed(key), await key.signMessage(message)),
    })
    for (let count = 0; count < 4; count++) expect((await signIn(claim(createWallet()))).status).toBe(201)
    const early = await signIn(claim(owner))
    for (let count = 0; count < 4; count++) expect((await signIn(claim(createWallet()))).status).toBe(201)
    await deploySmartAccount(chain, seed(owner))
    expect(await signIn(as(address, owner))).toMatchObject({ status: 200, objectId: early.objectId })
  })
})

const people = createPeople(() => server)

/** Ways of a contract account to another holder: returns the account, its first holder, and what changes that. */
const handovers = {
  'a token-bound account that is sold': async () => {
    const [seller, buyer] = [createWallet(), createWallet()]
    const { address, sell } = await createBound(seller)
    return { before: as(address, seller), after: as(address, buyer), happen: () => sell(buyer) }
  },
  'the next delegate of EIP-7702': async () => {
    const [key, first, second] = [createWallet(), createWallet(), createWallet()]
    await delegateTo(key, first)
    const [before, after] = [as(key.address, first), as(key.address, second)]
    return { before, after, happen: () => delegateTo(key, second) }
  },
}

// The clock moves on by weeks here, past what the chain knows: these come last.
describe.each(Object.entries(handovers))(
  'SEC-8: powers that survive when a contract account changes hands: %s',
  (_, make) => {
    test.each([
      { order: 'had for long', isAged: true },
      { order: 'given a moment before', isAged: false },
    ])('$order', async ({ isAged }) => {
      const person = await people.createPerson({ isAged })
      const { before, after, happen } = await make()
      expect((await prove(before, 'link', '/auth/wallets', person.token)).status).toBe(201)
      expect((await signIn(before)).objectId).toBe(person.objectId)
      await happen()
      const next = await signIn(after)
      expect([next.status, next.objectId === person.objectId]).toEqual([201, false])
      expect((await signIn(before)).objectId).not.toBe(person.objectId)
      const attempts: [Power, (person: Person) => Promise<boolean>][] = [
        ['alerts turned off', people.hasAlertsOff],
        ['recovery mail', people.tryRecoveryMail],
        ['this session', people.tryThisSession],
        ['other sessions', people.tryOtherSession],
        ['password', people.tryPassword],
        ['passkeys', people.tryPasskey],
        ['guest id', people.tryGuestId],
        ['identities', people.tryIdentity],
        ['recovery codes', people.tryRecoveryCode],
        ['mailed sign-in code', people.tryEmailCode],
        ['method set aside', people.tryRestore],
        ['pending challenge', people.tryChallenge],
        ['half-registered passkey', people.tryRegistration],
        ['verification mail', people.tryVerification],
        ['reset mail', people.tryReset],
        ['undo mail', people.tryUndo],
      ]
      for (const [power, attempt] of attempts)
        expect([power, await attempt(person)]).toEqual([
          power,
          fateOf('contract account has another holder', power) === 'stays',
        ])
    })
  },
)
