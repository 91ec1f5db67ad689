import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createSolanaSigner } from '../../testing/createSolanaSigner.ts'
import { createTestProvider, type TestProvider } from '../../testing/createTestProvider.ts'
import { createWire } from '../../testing/createWire.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import { visit } from '../../testing/visit.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { deleteUser } from '../account/account.ts'
import { linkWallet, listLinkedWallets, unlinkWallet } from '../account/linkedWallets.ts'
import { mergeAccounts, previewAccountMerge } from '../account/mergeAccounts.ts'
import type { ClientOptions } from '../client/Client.ts'
import { getUser } from '../session/getUser.ts'
import { signUp } from '../session/signUp.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import type { Connector } from '../state/Connector.ts'
import { createEip1193Connector } from '../wallet/connectors/createEip1193Connector.ts'
import { createEip1193Signer } from '../wallet/connectors/createEip1193Signer.ts'
import { signInWithWallet } from '../wallet/signInWithWallet.ts'
import { createSignInFlow, type SignInFlow, type SignInFlowOptions } from './createSignInFlow.ts'
import type { SignInFlowState } from './SignInFlowState.ts'
import { findLastMethod } from './signInRows.ts'

const server = serveTests({ rateLimit: [] })
beforeEach(() => {
  window.localStorage.clear()
  visit(server.origin)
})
afterEach(() => {
  vi.useRealTimers()
})

/** Behavior of the wallet's owner by method; its result or error is the outcome. */
type Script = Partial<Record<string, () => unknown>>

function scripted(wallet: TestProvider, script: Script): Connector {
  const provider = {
    async request(call: { method: string; params?: readonly unknown[] }) {
      const outcome = await script[call.method]?.()
      return outcome === undefined ? wallet.request(call) : outcome
    },
  }
  return createEip1193Connector({ id: 'com.example.wallet', kind: 'custom', name: 'Example' }, async () => provider)
}

async function open(options: ClientOptions & SignInFlowOptions = {}) {
  const { purpose, onDone, ...clientOptions } = options
  const wire = createWire()
  const { appId, serverUrl } = server
  const storage = createMemory()
  const client = createClient({
    appId,
    serverUrl,
    session: 'storage',
    storage,
    fetch: wire.fetch,
    attemptLimit: 1,
    ...clientOptions,
  })
  await initialize(client)
  const wallet = createTestProvider()
  const script: Script = {}
  const flow = createSignInFlow(client, { purpose, onDone })
  return {
    client,
    wire,
    storage,
    wallet,
    script,
    connector: scripted(wallet, script),
    flow,
    seen: watchStates(flow.state),
  }
}

function until<Status extends SignInFlowState['status']>(
  { state }: SignInFlow,
  status: Status,
  check: (state: SignInFlowState & { status: Status }) => boolean = () => true,
): Promise<SignInFlowState & { status: Status }> {
  return vi.waitFor(
    () => {
      const now = state.get()
      const isThere = (one: SignInFlowState): one is SignInFlowState & { status: Status } => one.status === status
      if (!isThere(now) || !check(now)) throw new Error(`expected ${status}, it is ${JSON.stringify(now)}`)
      return now
    },
    { timeout: 60_000, interval: 5 },
  )
}

const short = (address: string | undefined) => address?.toLowerCase()
const reject = () => {
  throw { code: 4001, message: 'User rejected the request.' }
}
const password = 'correct horse battery'
let count = 0
const newUser = () => ({ username: `flow-${++count}-${Date.now()}`, password })

test('one click connects, signs and is done; the text shown is the text signed', async () => {
  const onDone = vi.fn()
  const { client, wallet, connector, flow, seen } = await open({ onDone })
  let shown: string | undefined
  flow.state.subscribe(() => {
    const state = flow.state.get()
    if (state.status === 'signing') shown = state.message
  })
  flow.connect(connector)
  const { user, isNew } = await until(flow, 'done')
  expect(user.ethAddress).toBe(short(wallet.addresses[0]))
  expect(isNew).toBe(true)
  expect(onDone).toHaveBeenCalledExactlyOnceWith(user, { isNew: true, linked: false })
  expect(shown).toBe(wallet.signed[0])
  expect(new Set(seen)).toEqual(new Set(['choosing', 'connecting', 'signing', 'checking', `done ${user.username}`]))
  expect(findLastMethod(client)).toBe(connector.id)
})

test('a user who was here before is not new', async () => {
  const { client, wallet, connector, flow } = await open()
  await signInWithWallet(client, { signer: createEip1193Signer(wallet) })
  flow.connect(connector)
  expect((await until(flow, 'done')).isNew).toBe(false)
})

test('connecting refused (4001): calm, nothing is signed, one click tries again', async () => {
  const { client, wallet, script, connector, flow } = await open()
  script.eth_requestAccounts = reject
  flow.connect(connector)
  await until(flow, 'refused')
  expect(wallet.signed).toEqual([])
  expect(client.wallet.get().status).toBe('disconnected')
  script.eth_requestAccounts = undefined
  flow.retry()
  await until(flow, 'done')
})

test('signing refused: the wallet stays connected and is asked again by a click only', async () => {
  const { client, wallet, script, connector, flow } = await open()
  wallet.onSign = reject
  flow.connect(connector)
  const state = await until(flow, 'unsigned')
  expect(state).toMatchObject({ reason: 'refused', account: wallet.addresses[0] })
  expect(client.wallet.get().status).toBe('connected')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(wallet.signed).toHaveLength(1)

  wallet.onSign = undefined
  script.wallet_requestPermissions = () => {
    wallet.selected = 1
    return []
  }
  flow.switchAccount()
  const { user } = await until(flow, 'done')
  expect(user.ethAddress).toBe(short(wallet.addresses[1]))
})

test('S22: an account that changes while it signs is shown, and signs in by a click only', async () => {
  const { client, wallet, connector, flow } = await open()
  wallet.onSign = () => {
    wallet.selected = 1
    wallet.onSign = undefined
  }
  flow.connect(connector)
  const state = await until(flow, 'changed')
  expect([state.from, state.account]).toEqual(wallet.addresses)
  expect(client.session.get().status).not.toBe('authenticated')
  flow.retry()
  const { user } = await until(flow, 'done')
  expect(user.ethAddress).toBe(short(wallet.addresses[1]))
})

test('-32002: the wallet is not asked again; what is granted in its window is noticed', async () => {
  const { wallet, script, connector, flow } = await open()
  const asked = vi.fn(() => {
    throw { code: -32002, message: 'Request of type eth_requestAccounts already pending' }
  })
  script.eth_requestAccounts = asked
  script.eth_accounts = () => []
  flow.connect(connector)
  expect(await until(flow, 'pending')).toMatchObject({ canRestart: false })
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(asked).toHaveBeenCalledTimes(1)
  script.eth_requestAccounts = undefined
  script.eth_accounts = undefined
  const { user } = await until(flow, 'done')
  expect(user.ethAddress).toBe(short(wallet.addresses[0]))
})

test('-32002 for 20 seconds: one may start over', async () => {
  const { script, connector, flow } = await open()
  vi.useFakeTimers()
  script.eth_requestAccounts = () => {
    throw { code: -32002, message: 'already pending' }
  }
  script.eth_accounts = () => []
  flow.connect(connector)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(flow.state.get()).toMatchObject({ status: 'pending', canRestart: false })
  await vi.advanceTimersByTimeAsync(2000)
  expect(flow.state.get()).toMatchObject({ status: 'pending', canRestart: true })
  vi.useRealTimers()
  script.eth_requestAccounts = undefined
  script.eth_accounts = undefined
  flow.retry()
  await until(flow, 'done')
})

test('a locked wallet that does not respond is reported after three seconds', async () => {
  const { script, connector, flow } = await open()
  vi.useFakeTimers()
  let unlock: (accounts: undefined) => void = () => undefined
  script.eth_requestAccounts = () => new Promise((resolve) => (unlock = resolve))
  flow.connect(connector)
  await vi.advanceTimersByTimeAsync(2900)
  expect(flow.state.get()).toMatchObject({ status: 'connecting', slow: false })
  await vi.advanceTimersByTimeAsync(200)
  expect(flow.state.get()).toMatchObject({ status: 'connecting', slow: true })
  vi.useRealTimers()
  script.eth_requestAccounts = undefined
  unlock(undefined)
  await until(flow, 'done')
})

test('an expired message is fetched and signed again', async () => {
  const { wallet, connector, flow } = await open()
  let wasAgain = false
  flow.state.subscribe(() => {
    const state = flow.state.get()
    wasAgain ||= state.status === 'signing' && state.again
  })
  wallet.onSign = async () => {
    wallet.onSign = undefined
    await server.passTime(10 * 60_000)
  }
  flow.connect(connector)
  await until(flow, 'done')
  expect(wasAgain).toBe(true)
  expect(wallet.signed).toHaveLength(2)
})

test('a chain that the server does not offer is no obstacle, and the wallet is asked once', async () => {
  const { wallet, connector, flow } = await open()
  wallet.chainId = 999_999
  flow.connect(connector)
  await until(flow, 'done')
  expect(wallet.signed).toHaveLength(1)
  expect(wallet.calls).not.toContain('wallet_switchEthereumChain')
})

test('the server is down before signing: the wallet stays connected, and the sign-in continues', async () => {
  const { client, wire, wallet, connector, flow } = await open()
  wire.cut()
  flow.connect(connector)
  const { retryAt } = await until(flow, 'offline')
  expect(retryAt).toBeGreaterThan(Date.now())
  expect(client.wallet.get().status).toBe('connected')
  window.dispatchEvent(new Event('online'))
  await until(flow, 'offline', (state) => state.retryAt > retryAt + 1000)
  wire.fix()
  window.dispatchEvent(new Event('online'))
  await until(flow, 'done')
  expect(wallet.signed).toHaveLength(1)
})

test('S23: no server after signing: the wallet opens again by a click only', async () => {
  const { wire, wallet, connector, flow } = await open()
  wallet.onSign = () => wire.cut()
  flow.connect(connector)
  await until(flow, 'offline')
  wire.fix()
  wallet.onSign = undefined
  window.dispatchEvent(new Event('online'))
  expect(await until(flow, 'unsigned')).toMatchObject({ reason: 'back' })
  expect(wallet.signed).toHaveLength(1)
  flow.retry()
  await until(flow, 'done')
})

test('429: nothing is tried before the moment that the server names', async () => {
  const counterpart = await startCounterpart(() => ({
    status: 429,
    headers: { 'Retry-After': '7' },
    body: { code: 155, error: 'Too many requests' },
  }))
  visit(new URL(counterpart.serverUrl).origin)
  const { connector, flow } = await open({ serverUrl: counterpart.serverUrl, fetch })
  const begun = Date.now()
  flow.connect(connector)
  const { until: moment } = await until(flow, 'limited')
  expect(moment).toBeGreaterThanOrEqual(begun + 7000)
  expect(moment).toBeLessThanOrEqual(Date.now() + 7000)
  expect(counterpart.arrivals).toHaveLength(1)
  await counterpart.close()
})

test('S10: a smart account whose chain does not respond is not signed in', async () => {
  const { client, wallet, connector, flow } = await open()
  let wasSmart = false
  flow.state.subscribe(() => {
    const state = flow.state.get()
    wasSmart ||= state.status === 'checking' && state.smart
  })
  wallet.onSign = () => `0x${'ab'.repeat(97)}`
  flow.connect(connector)
  await until(flow, 'unchecked')
  expect(wasSmart).toBe(true)
  expect(client.session.get().status).not.toBe('authenticated')
})

test('a check that takes longer than 1.5 seconds is shown', async () => {
  const { wire, wallet, connector, flow } = await open()
  let release: () => void = () => undefined
  wallet.onSign = () => {
    release = wire.hold()
  }
  flow.connect(connector)
  await until(flow, 'checking', ({ slow }) => !slow)
  await until(flow, 'checking', ({ slow, smart }) => slow && !smart)
  release()
  await until(flow, 'done')
})

test('S23: a canceled attempt has no effect, also if its result is late', async () => {
  const { client, wallet, connector, flow } = await open()
  let answer: (nothing: undefined) => void = () => undefined
  wallet.onSign = () => new Promise((resolve) => (answer = resolve))
  flow.connect(connector)
  await until(flow, 'signing', ({ message }) => message !== undefined && wallet.signed.length === 1)
  flow.reset()
  expect(flow.state.get()).toEqual({ status: 'choosing' })
  answer(undefined)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(flow.state.get()).toEqual({ status: 'choosing' })
  expect(client.session.get().status).not.toBe('authenticated')
  expect(client.wallet.get().status).toBe('connected')
  wallet.onSign = undefined
  flow.connect(connector)
  await until(flow, 'done')
})

test('a wallet that does both by one prompt has one step', async () => {
  const { client, flow } = await open()
  const signer = createSolanaSigner()
  const link = {
    accounts: [signer.address],
    chainId: 'mainnet',
    signer,
    watch: () => () => undefined,
    disconnect: async () => undefined,
  }
  let isWilling = false
  const connector: Connector = {
    id: 'solana:example',
    kind: 'solana',
    namespace: 'solana',
    name: 'Example',
    connect: async () => link,
    reconnect: async () => undefined,
    async signIn(_, { domain, statement, uri, chainId, nonce, issuedAt, expirationTime }) {
      if (!isWilling) throw { code: 4001, message: 'User rejected the request.' }
      const message = `${domain} wants you to sign in with your Solana account:\n${signer.address}\n\n${statement}\n\nURI: ${uri}\nVersion: 1\nChain ID: ${chainId}\nNonce: ${nonce}\nIssued At: ${issuedAt}\nExpiration Time: ${expirationTime}`
      const signature = (await signer.signMessage(message, { address: signer.address })) ?? ''
      return { link, address: signer.address, message, signature }
    },
  }
  let wasAtOnce = false
  flow.state.subscribe(() => {
    const state = flow.state.get()
    wasAtOnce ||= state.status === 'signing' && state.atOnce === true
  })
  flow.connect(connector)
  await until(flow, 'refused')
  expect(wasAtOnce).toBe(true)
  isWilling = true
  flow.retry()
  const { user, isNew } = await until(flow, 'done')
  expect(user.solAddress).toBe(signer.address)
  expect(isNew).toBe(true)
  expect(client.wallet.get()).toMatchObject({ status: 'connected', account: signer.address })
})

test('208: a taken wallet can be merged, after a look at what would move', async () => {
  const other = await open()
  other.flow.connect(other.connector)
  const { user: absorbed } = await until(other.flow, 'done')

  const { client, flow } = await open({ purpose: 'link' })
  const me = await signUp(client, newUser())
  flow.connect(other.connector)
  await until(flow, 'taken')
  expect(await listLinkedWallets(client)).toEqual([])
  flow.previewAccountMerge()
  const { preview } = await until(flow, 'merging')
  expect(preview).toMatchObject({ from: { objectId: absorbed.objectId }, into: { objectId: me?.objectId } })
  expect(await listLinkedWallets(client)).toEqual([])
  flow.mergeAccounts()
  await until(flow, 'done')
  expect(getUser(client)?.objectId).toBe(me?.objectId)
  expect(await listLinkedWallets(client)).toHaveLength(1)
})

test('208: or one signs in there', async () => {
  const other = await open()
  other.flow.connect(other.connector)
  const { user: owner } = await until(other.flow, 'done')
  const { client, flow } = await open({ purpose: 'link' })
  await signUp(client, newUser())
  flow.connect(other.connector)
  await until(flow, 'taken')
  flow.signInThere()
  const { user } = await until(flow, 'done')
  expect(user.objectId).toBe(owner.objectId)
  expect(getUser(client)?.objectId).toBe(owner.objectId)
})

test('a free wallet is linked, and the user stays', async () => {
  const { client, wallet, connector, flow } = await open({ purpose: 'link' })
  const me = await signUp(client, newUser())
  flow.connect(connector)
  const { user } = await until(flow, 'done')
  expect(user).toMatchObject({ objectId: me?.objectId, ethAddress: short(wallet.addresses[0]) })
  expect(wallet.signed[0]).toContain('Link this wallet')
})

test('a session that was ended elsewhere leads back to the sign-in methods, with the reason', async () => {
  const { client, connector, flow } = await open({ purpose: 'link' })
  const me = await signUp(client, newUser())
  await server.asMaster('DELETE', `/users/${me?.objectId}`)
  flow.connect(connector)
  expect(await until(flow, 'choosing', ({ ended }) => ended === true)).toEqual({ status: 'choosing', ended: true })
})

test('password: wrong, then right', async () => {
  const user = newUser()
  const { client, flow } = await open()
  await signUp(client, user)
  flow.openPassword()
  expect(flow.state.get()).toEqual({ status: 'password', pending: false })
  flow.signInWithPassword({ username: user.username, password: 'wrong' })
  expect(await until(flow, 'password', ({ error }) => error !== undefined)).toMatchObject({ error: { code: 101 } })
  flow.signInWithPassword(user)
  expect(await until(flow, 'done')).toMatchObject({ user: { username: user.username }, isNew: false })
  expect(findLastMethod(client)).toBe('password')
})

test('SEC-13: an account to be deleted shows the date, and is restored by a click', async () => {
  const { client, flow, connector, wallet } = await open()
  flow.connect(connector)
  const byWallet = (await until(flow, 'done')).user
  await deleteUser(client)
  flow.connect(connector)
  const { dueAt } = await until(flow, 'deleted')
  expect(dueAt).toBeGreaterThan(Date.now())
  expect(client.session.get().status).not.toBe('authenticated')
  const signed = wallet.signed.length
  flow.restore()
  expect((await until(flow, 'done')).user.objectId).toBe(byWallet.objectId)
  expect(wallet.signed).toHaveLength(signed + 1)

  const user = newUser()
  await signUp(client, user)
  await deleteUser(client)
  flow.openPassword()
  flow.restore()
  expect(flow.state.get()).toEqual({ status: 'password', pending: false })
  flow.signInWithPassword(user)
  await until(flow, 'deleted')
  flow.restore()
  expect((await until(flow, 'done')).user.username).toBe(user.username)
})

test('a wallet that was unlinked restores its account or opens a new one, by a click', async () => {
  const { client, flow, connector } = await open()
  flow.connect(connector)
  const { objectId } = (await until(flow, 'done')).user
  const [own] = await listLinkedWallets(client)
  await linkWallet(client, { signer: createEip1193Signer(createTestProvider()) })
  await unlinkWallet(client, { objectId: own?.objectId ?? '' })
  flow.connect(connector)
  const lost = await until(flow, 'lost')
  expect(lost).toMatchObject({ by: 'unlink', canStartNew: true })
  expect(lost.until).toBeGreaterThan(Date.now())
  flow.restore()
  expect((await until(flow, 'done')).user.objectId).toBe(objectId)

  const thiefs = createTestProvider()
  await linkWallet(client, { signer: createEip1193Signer(thiefs) })
  await unlinkWallet(client, { objectId: own?.objectId ?? '' })
  flow.connect(connector)
  await until(flow, 'lost')
  flow.startNew()
  const made = await until(flow, 'done')
  expect(made.isNew).toBe(true)
  expect(made.user.objectId).not.toBe(objectId)
})

test('a wallet whose account was merged away restores it by a click', async () => {
  const { client, flow, connector, wallet } = await open()
  flow.connect(connector)
  const { objectId } = (await until(flow, 'done')).user
  await signUp(client, newUser())
  const preview = await previewAccountMerge(client, { signer: createEip1193Signer(wallet) })
  await mergeAccounts(client, { objectId: preview.objectId })
  const [moved] = await listLinkedWallets(client)
  await unlinkWallet(client, { objectId: moved?.objectId ?? '' })
  flow.connect(connector)
  expect(await until(flow, 'lost')).toMatchObject({ by: 'merge', canStartNew: true })
  flow.restore()
  expect((await until(flow, 'done')).user.objectId).toBe(objectId)
})

test('passkey: a browser that has none says so', async () => {
  const { flow } = await open()
  flow.signInWithPasskey()
  expect(await until(flow, 'passkey', ({ error }) => error !== undefined)).toMatchObject({
    pending: false,
    error: { reason: 'passkeyUnsupported' },
  })
})

test('a signature that is refused while somebody is signed in changes nothing', async () => {
  const { client, wire, connector, script, flow } = await open()
  await signUp(client, newUser(), { throwOnError: true })
  const user = getUser(client)
  const session = watchStates(client.session)
  wire.calls.length = 0
  script.personal_sign = reject
  flow.connect(connector)
  await until(flow, 'unsigned')
  expect(getUser(client)).toBe(user)
  expect(session.slice(1)).toEqual([])
  // Nor does a change of account that is refused, or a sheet that is closed while the wallet asks.
  script.wallet_requestPermissions = () => null
  flow.switchAccount()
  await until(flow, 'unsigned')
  script.personal_sign = () => new Promise(() => undefined)
  flow.retry()
  await until(flow, 'signing', ({ message }) => message !== undefined)
  flow.reset()
  await until(flow, 'choosing')
  await vi.waitFor(() => expect(client.internal.prompt).toBeUndefined(), { timeout: 60_000 })
  expect(session.slice(1)).toEqual([])
  expect(getUser(client)).toBe(user)
  expect(wire.calls.map(({ path }) => path).filter((path) => path !== '/auth/challenge')).toEqual([])
  // With the proof in hand it is an ordinary sign-in.
  script.personal_sign = undefined
  flow.connect(connector)
  const done = await until(flow, 'done')
  expect(done.user.objectId).not.toBe(user?.objectId)
  expect(getUser(client)?.objectId).toBe(done.user.objectId)
})

test('a message that expired while somebody is signed in is signed again, and a refusal of that changes nothing', async () => {
  const { client, wire, connector, script, flow } = await open()
  await signUp(client, newUser(), { throwOnError: true })
  const user = getUser(client)
  let asked = 0
  script.personal_sign = async () => {
    if (++asked > 1) return reject()
    await server.passTime(10 * 60_000)
  }
  wire.calls.length = 0
  flow.connect(connector)
  await until(flow, 'unsigned')
  expect(asked).toBe(2)
  expect(getUser(client)).toBe(user)
  expect(client.session.get()).toEqual({ status: 'authenticated', user })
  expect(wire.calls.map(({ path }) => path)).not.toContain('/logout')
})
