import { randomUUID } from 'node:crypto'
import Parse from 'parse/node'
import { type PrivateKeyAccount, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAuthAdapters } from '../../providers/authAdapters.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { deploySmartAccount } from '../../testing/chain/smartAccounts/deploySmartAccount.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { type Answer, createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { type FarcasterChallenge, getFarcaster } from './farcaster.ts'

const app = 'https://app.example.com'
const { abi, bytecode } = getArtifact('IdRegistry')
let chain: Chain
let registry: `0x${string}`
let server: TestServer
beforeAll(async () => {
  chain = await startChain({ chainId: 10 })
  registry = await deployContract(chain, { abi, bytecode })
  server = await createTestServer({
    rateLimit: [],
    chains: [{ id: 10, rpcUrls: [chain.url] }],
    wallet: { origins: [app], nodeTimeout: 2_000 },
    auth: { farcaster: { registry } },
  })
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

type Signer = Pick<PrivateKeyAccount, 'signMessage'> & { address: string }
type Person = { fid: string; custody: Signer }

async function write(functionName: string, args: unknown[]): Promise<void> {
  const client = createDeployerClient(chain)
  const hash = await client.writeContract({ abi, address: registry, functionName, args })
  await client.getTransactionReceipt({ hash })
}

async function findId(address: string): Promise<string> {
  return String(
    await createDeployerClient(chain).readContract({ abi, address: registry, functionName: 'idOf', args: [address] }),
  )
}

/** Somebody with an id of Farcaster, and the key of its custody address. */
async function createPerson(custody: Signer = createWallet()): Promise<Person> {
  await write('register', [custody.address])
  return { fid: await findId(custody.address), custody }
}

type Browser = { [header: string]: string }
const newBrowser = (): Browser => ({ 'X-Parse-Installation-Id': randomUUID() })
const refusal = ({ status, body }: Answer) => [status, body.reason]

async function ask(browser: Browser, purpose = 'signIn', token?: string): Promise<FarcasterChallenge> {
  const options = { headers: browser, ...(token && { token }) }
  const answer = await server.call('POST', '/auth/farcaster/challenge', { purpose }, options)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as FarcasterChallenge
}

type Parts = Partial<FarcasterChallenge> & {
  issuedAt?: string
  chainId?: string
  statement?: string
  resources?: string[]
  more?: string
}

/** As Farcaster's app writes and signs it. */
async function sign({ fid, custody }: Person, challenge: FarcasterChallenge, changed: Parts = {}) {
  const { domain, siweUri, nonce, expirationTime } = { ...challenge, ...changed }
  const { chainId = '10', statement = 'Farcaster Auth', resources = [`farcaster://fid/${fid}`] } = changed
  const message = [
    `${domain} wants you to sign in with your Ethereum account:`,
    custody.address,
    '',
    statement,
    '',
    `URI: ${siweUri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${changed.issuedAt ?? server.clock.now().toISOString()}`,
    `Expiration Time: ${expirationTime}`,
    ...(changed.more ? [changed.more] : []),
    'Resources:',
    ...resources.map((resource) => `- ${resource}`),
  ].join('\n')
  return { message, signature: await custody.signMessage({ message }) }
}

const present = (proof: object, browser: Browser) =>
  server.call('POST', '/auth/signInWithFarcaster', proof, { headers: browser })

async function signIn(person: Person, changed: Parts = {}): Promise<Answer> {
  const browser = newBrowser()
  return present(await sign(person, await ask(browser), changed), browser)
}

async function link(person: Person, token: string, browser = newBrowser()): Promise<Answer> {
  const proof = await sign(person, await ask(browser, 'link', token))
  return server.call('POST', '/auth/farcaster', proof, { token, headers: browser })
}

const methods = async (token: string) =>
  (await server.call('GET', '/auth/signInMethods', undefined, { token })).body.identities

describe('a sign-in with Farcaster', () => {
  test('makes the account at the first time and opens it at the next', async () => {
    const person = await createPerson()
    const made = await signIn(person)
    expect([made.status, typeof made.body.sessionToken], made.text).toEqual([201, 'string'])
    const again = await signIn(person)
    expect([again.status, again.body.objectId]).toEqual([200, made.body.objectId])
    expect(await methods(String(again.body.sessionToken))).toMatchObject([
      { provider: 'farcaster', id: person.fid, name: 'Farcaster', label: `FID ${person.fid}` },
    ])
    const session = await server.call('GET', '/sessions/me', undefined, { token: String(again.body.sessionToken) })
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'farcaster' })
    expect(again.text).not.toMatch(/signature|wants you to sign in/)
  })

  test('a contract holds an id as well (ERC-1271)', async () => {
    const owner = createWallet()
    const address = await deploySmartAccount(chain, { owner: owner.address, salt: 'custody' })
    const person = await createPerson({ address, signMessage: (message) => owner.signMessage(message) })
    expect((await signIn(person)).status).toBe(201)
    const stranger = createWallet()
    const forged = { ...person, custody: { address, signMessage: stranger.signMessage } }
    expect(refusal(await signIn(forged))).toEqual([401, 'invalidSignature'])
  })

  test('follows the id: the former owner is out, the new one is in', async () => {
    const former = await createPerson()
    const { body } = await signIn(former)
    const custody = createWallet()
    await write('transfer', [former.custody.address, custody.address])
    expect(refusal(await signIn(former))).toEqual([403, 'providerRefused'])
    expect((await signIn({ fid: former.fid, custody })).body.objectId).toBe(body.objectId)
  })

  test('an id that is not the signer’s, or none, opens nothing', async () => {
    const [person, other] = [await createPerson(), await createPerson()]
    expect(refusal(await signIn({ ...person, fid: other.fid }))).toEqual([403, 'providerRefused'])
    expect(refusal(await signIn({ fid: '1', custody: createWallet() }))).toEqual([403, 'providerRefused'])
    for (const resources of [
      [],
      ['https://farcaster.example/1'],
      [`farcaster://fid/0${person.fid}`],
      [`farcaster://fid/${person.fid}/x`],
      [`farcaster://fid/${person.fid}`, `farcaster://fid/${other.fid}`],
      [`farcaster://fid/${person.fid}`, `FARCASTER://fid/${other.fid}`],
      [`farcaster://fid/${'9'.repeat(40)}`],
    ])
      expect(refusal(await signIn(person, { resources })), String(resources)).toEqual([401, 'messageChanged'])
  })

  test('every part is the one that was asked for', async () => {
    const person = await createPerson()
    const wrong: Parts[] = [
      { domain: 'evil.example' },
      { siweUri: 'https://evil.example' },
      { chainId: '1' },
      { statement: 'Sign in to another site.' },
      { expirationTime: new Date(server.clock.ms() - 1_000).toISOString() },
      { more: `Not Before: ${new Date(server.clock.ms() + 60_000).toISOString()}` },
    ]
    for (const parts of wrong)
      expect(refusal(await signIn(person, parts)), JSON.stringify(parts)).toEqual([401, 'messageChanged'])
    expect(refusal(await signIn(person, { nonce: '0'.repeat(32) }))).toEqual([401, 'challengeUsed'])
    const browser = newBrowser()
    const { message } = await sign(person, await ask(browser))
    const signature = await createWallet().signMessage({ message })
    expect(refusal(await present({ message, signature }, browser))).toEqual([401, 'invalidSignature'])
    expect(refusal(await present({ message: `${message}\nx`, signature }, browser))).toEqual([401, 'messageNotOurs'])
  })

  test('a nonce works once, for a while, in the browser and page that asked', async () => {
    const person = await createPerson()
    const browser = newBrowser()
    const proof = await sign(person, await ask(browser))
    const answers = await Promise.all([present(proof, browser), present(proof, browser)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
    expect(refusal(await present(proof, browser))).toEqual([401, 'challengeUsed'])
    const planted = await sign(person, await ask(browser))
    expect(refusal(await present(planted, newBrowser()))).toEqual([403, 'challengeOfOtherBrowser'])
    expect(refusal(await present(planted, browser))).toEqual([401, 'challengeUsed'])
    const onPage = { ...browser, Origin: app }
    const challenge = await ask(onPage)
    expect(challenge).toMatchObject({ domain: 'app.example.com', siweUri: app })
    const relayed = await present(await sign(person, challenge), { ...browser, Origin: server.context.publicUrl })
    expect(refusal(relayed)).toEqual([403, 'challengeOfOtherBrowser'])
    const late = await sign(person, await ask(browser), { expirationTime: '2999-01-01T00:00:00.000Z' })
    server.clock.forward(10 * 60_000 + 1)
    expect(refusal(await present(late, browser))).toEqual([401, 'challengeExpired'])
  })

  test('rejects a wallet’s message as Farcaster’s, and the reverse', async () => {
    const person = await createPerson()
    const browser = newBrowser()
    const proof = await sign(person, await ask(browser))
    const asWallet = await server.call('POST', '/auth/signInWithWallet', proof, { headers: browser })
    expect(refusal(asWallet)).toEqual([401, 'challengeUsed'])
    const { body } = await server.call(
      'POST',
      '/auth/challenge',
      { purpose: 'signIn', address: person.custody.address, chainId: 10 },
      { headers: browser },
    )
    const message = String(body.message)
    const signed = { message, signature: await person.custody.signMessage({ message }) }
    expect(refusal(await present(signed, browser))).toEqual([401, 'challengeUsed'])
  })
})

describe('an account', () => {
  test('links an id, is confirmed by it, unlinks and restores it; somebody else’s is 208', async () => {
    const person = await createPerson()
    const { token, objectId } = await server.signUp(`linker-${randomUUID()}`)
    const linked = await link(person, token)
    expect([linked.status, linked.body], linked.text).toMatchObject([201, { provider: 'farcaster', id: person.fid }])
    expect((await signIn(person)).body.objectId).toBe(objectId)

    const thief = await server.signUp(`thief-${randomUUID()}`)
    const taken = await link(person, thief.token)
    expect([taken.body.code, taken.body.reason]).toEqual([208, 'accountAlreadyLinked'])
    const browser = newBrowser()
    const ofOther = await sign(person, await ask(browser, 'link', token))
    const planted = await server.call('POST', '/auth/farcaster', ofOther, { token: thief.token, headers: browser })
    expect(refusal(planted)).toEqual([401, 'challengeOfOtherAccount'])

    const proof = await sign(person, await ask(browser, 'reauthenticate', token))
    const authData = { farcaster: { id: person.fid, ...proof } }
    const confirmed = await server.call('POST', '/auth/reauthenticate', { authData }, { token, headers: browser })
    expect(confirmed.status, confirmed.text).toBe(200)
    const fresh = String(confirmed.body.sessionToken)
    expect((await server.call('DELETE', '/auth/identities/farcaster', undefined, { token: fresh })).status).toBe(200)
    const restored = await server.call('POST', '/auth/identities/farcaster/restore', {}, { token: fresh })
    expect(restored.body, restored.text).toMatchObject({ id: person.fid })
    server.clock.forward(16 * 60_000)
    const stale = await server.call(
      'POST',
      '/auth/farcaster/challenge',
      { purpose: 'link' },
      { token: fresh, headers: browser },
    )
    expect(refusal(stale)).toEqual([403, 'reauthenticationRequired'])
  })

  test('the last sign-in method stays', async () => {
    const { body } = await signIn(await createPerson())
    const last = await server.call('DELETE', '/auth/identities/farcaster', undefined, {
      token: String(body.sessionToken),
    })
    expect(refusal(last)).toEqual([403, 'lastSignInMethod'])
  })
})

describe('clients of the older protocol', () => {
  const signUp = async (person: Person, browser = newBrowser(), id = person.fid) => {
    const proof = await sign(person, await ask(browser))
    return server.call('POST', '/users', { authData: { farcaster: { id, ...proof } } }, { headers: browser })
  }

  test('sign up, sign in, link and unlink by authData', async () => {
    const person = await createPerson()
    const made = await signUp(person)
    expect([made.status, made.body.authData], made.text).toEqual([201, { farcaster: { id: person.fid } }])
    const again = await signUp(person)
    expect([again.status, again.body.objectId]).toEqual([200, made.body.objectId])
    expect((await signIn(person)).body.objectId).toBe(made.body.objectId)

    const { token, objectId } = await server.signUp(`older-${randomUUID()}`)
    const put = async (authData: object, headers: Browser = {}) =>
      server.call('PUT', `/users/${objectId}`, { authData }, { token, headers })
    const browser = newBrowser()
    const taken = { id: person.fid, ...(await sign(person, await ask(browser, 'link', token))) }
    expect((await put({ farcaster: taken }, browser)).body.code).toBe(208)
    const own = await createPerson()
    const given = { id: own.fid, ...(await sign(own, await ask(browser, 'link', token))) }
    expect((await put({ farcaster: given }, browser)).status).toBe(200)
    expect((await signIn(own)).body.objectId).toBe(objectId)
    // Sent again, as it was: the nonce is used up.
    expect((await put({ farcaster: given }, browser)).status).toBe(401)
    expect((await put({ farcaster: null })).status).toBe(200)
    expect((await signIn(own)).body.objectId).not.toBe(objectId)
  })

  test('an id that the message does not name, and no message at all', async () => {
    const [person, other] = [await createPerson(), await createPerson()]
    const victim = await signIn(other)
    expect(refusal(await signUp(person, newBrowser(), other.fid))).toEqual([401, 'messageChanged'])
    for (const data of [{ id: other.fid }, { id: other.fid, message: 1, signature: {} }]) {
      const bare = await server.call('POST', '/users', { authData: { farcaster: data } }, { headers: newBrowser() })
      expect([bare.status, bare.body.sessionToken, bare.body.objectId]).toEqual([400, undefined, undefined])
    }
    expect(victim.status).toBe(201)
  })

  test('the parse client', async () => {
    const { initialize, _getInstallationId: getInstallationId } = Parse as unknown as {
      initialize(appId: string): void
      _getInstallationId(): Promise<string>
    }
    initialize(server.appId)
    Parse.serverURL = server.serverUrl
    Parse.User.enableUnsafeCurrentUser()
    const person = await createPerson()
    const installation = await getInstallationId()
    const proof = await sign(person, await ask({ 'X-Parse-Installation-Id': installation }))
    const user = await Parse.User.logInWith('farcaster', { authData: { id: person.fid, ...proof } })
    expect(user._isLinked('farcaster')).toBe(true)
    expect((await signIn(person)).body.objectId).toBe(user.id)
    // The client is shared with the tests that follow.
    await Parse.User.logOut()
    Parse.User.disableUnsafeCurrentUser()
  })
})

test('a node that does not respond blocks the sign-in', async () => {
  const dead = await createTestServer({
    rateLimit: [],
    chains: [{ id: 10, rpcUrls: ['http://127.0.0.1:9'] }],
    wallet: { nodeTimeout: 500, checkTimeout: 1_000 },
    auth: { farcaster: { registry } },
  })
  try {
    const person = await createPerson()
    const headers = newBrowser()
    const { body } = await dead.call('POST', '/auth/farcaster/challenge', {}, { headers })
    const proof = await sign(person, body as FarcasterChallenge, { issuedAt: dead.clock.now().toISOString() })
    const answer = await dead.call('POST', '/auth/signInWithFarcaster', proof, { headers })
    expect([answer.status < 300, answer.body.sessionToken]).toEqual([false, undefined])
    expect(answer.body.error).toContain('chain 10')
  } finally {
    await dead.stop()
  }
})

describe('the setting', () => {
  const load = (setting: object, chains = [10]) =>
    loadAuthAdapters({
      auth: { farcaster: { ...setting } },
      production: false,
      chains: chains.map((id) => ({ id, rpcUrls: [chain.url], quorum: 1 })) as never,
    })

  test('has the registry on OP Mainnet by default, and wants a node', async () => {
    const authProviders = await load({})
    const { farcaster } = getFarcaster({ authProviders } as never)
    expect(farcaster).toEqual({ chain: 10, registry: '0x00000000fc6c5f01fc30151999387bb99a9f489b' })
    await expect(load({}, [1])).rejects.toThrow('Add a node of this chain to chains')
    await expect(load({ chain: 1 }, [1])).rejects.toThrow('the address of the registry contract')
    await expect(load({ registry: 'x' })).rejects.toThrow('must be the address of a contract')
    await expect(load({ registery: registry })).rejects.toThrow('auth.farcaster')
    expect(toFunctionSelector('idOf(address)')).toBe('0xd94fe832')
  })

  test('a relay is asked by pages only where the operator names one, and then the policy allows it', async () => {
    await expect(load({ relay: 'https://relay.example/path' })).rejects.toThrow('relay must be true')
    await expect(load({ relay: "https://relay.example; script-src 'unsafe-inline'" })).rejects.toThrow('relay must be')
    await expect(load({ relay: 5 })).rejects.toThrow('relay must be true')
    const chosen = await load({ relay: true })
    expect(chosen.get('farcaster')?.farcaster?.relay).toBe('https://relay.farcaster.xyz')
    expect((await server.call('GET', '/auth/providers')).body.results).toEqual([])
    expect(await ask(newBrowser())).not.toHaveProperty('relay')
    const relayed = await createTestServer({
      rateLimit: [],
      chains: [{ id: 10, rpcUrls: [chain.url] }],
      auth: { farcaster: { registry, relay: 'https://relay.example' } },
    })
    try {
      const { body } = await relayed.call('GET', '/auth/providers')
      expect(body.results).toEqual([{ name: 'farcaster', label: 'Farcaster', kind: 'farcaster' }])
      const headers = newBrowser()
      const asked = await relayed.call('POST', '/auth/farcaster/challenge', {}, { headers })
      expect(asked.body.relay).toBe('https://relay.example')
    } finally {
      await relayed.stop()
    }
  })

  test('without it there is no such thing', async () => {
    const none = await createTestServer({ rateLimit: [] })
    try {
      const headers = newBrowser()
      for (const [path, body] of [
        ['/auth/farcaster/challenge', {}],
        ['/auth/signInWithFarcaster', { message: 'x', signature: '0x' }],
      ] as const)
        expect(refusal(await none.call('POST', path, body, { headers }))).toEqual([404, 'providerUnknown'])
      const older = await none.call('POST', '/users', { authData: { farcaster: { id: '1' } } }, { headers })
      expect(older.body.code).toBe(252)
    } finally {
      await none.stop()
    }
  })
})
