// @vitest-environment node
import { type CountersignError, errorCodes } from '@countersign/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createPage } from '../../testing/createPage.ts'
import { createWire } from '../../testing/createWire.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import type { TestWalletOptions } from '../../testWallet/TestWallet.ts'
import { linkWallet, listLinkedWallets } from '../account/linkedWallets.ts'
import { previewAccountMerge } from '../account/mergeAccounts.ts'
import { reauthenticate } from '../account/reauthenticate.ts'
import type { ClientOptions } from '../client/Client.ts'
import { getUser } from '../session/getUser.ts'
import { signUp } from '../session/signUp.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { createInjectedConnector } from './connectors/createInjectedConnector.ts'
import { connectWallet, disconnectWallet, dismissMismatch } from './connectWallet.ts'
import { signInWithWallet } from './signInWithWallet.ts'
import { startWallet } from './startWallet.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ rateLimit: [] })
})
afterAll(() => server.remove())
afterEach(() => {
  vi.unstubAllGlobals()
})

async function open(walletOptions: TestWalletOptions = {}, options: ClientOptions = {}, storage = createMemory()) {
  const page = createPage(vi.stubGlobal, server.origin, storage)
  const wallet = announceTestWallet(await createTestWallet(walletOptions), page)
  const { appId, serverUrl } = server
  const wire = createWire()
  const client = createClient({
    appId,
    serverUrl,
    session: 'storage',
    fetch: wire.fetch,
    throwOnError: true,
    ...options,
  })
  await initialize(client)
  return { page, wallet, client, wire, storage }
}

async function failure(promise: Promise<unknown>): Promise<CountersignError> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: CountersignError) => error,
  )
}

let count = 0
const lower = (address: string | undefined) => address?.toLowerCase()

describe('signing in', () => {
  test('R19, R13: the connector is connected first, and the text is passed on before it is signed', async () => {
    const { wallet, client } = await open()
    const texts: string[] = []
    const user = await signInWithWallet(client, { connector: 'injected', onMessage: (text) => texts.push(text) })
    expect(user?.ethAddress).toBe(lower(wallet.addresses[0]))
    expect(client.wallet.get()).toMatchObject({ status: 'connected', account: wallet.addresses[0] })
    expect(texts).toEqual(wallet.signed())
    expect(wallet.prompts().map(({ method }) => method)).toEqual(['eth_requestAccounts', 'personal_sign'])
    // The connected wallet needs no naming, and no second connecting.
    expect((await signInWithWallet(client))?.objectId).toBe(user?.objectId)
    expect((await signInWithWallet(client, { connector: 'injected' }))?.objectId).toBe(user?.objectId)
    expect(wallet.prompts()).toHaveLength(4)
  })

  test('R4: a refused connection and a refused signature; the wallet stays connected after the second', async () => {
    const { wallet, client } = await open()
    wallet.rejectNext()
    const error = await failure(signInWithWallet(client, { connector: 'injected' }))
    expect(error.cause).toMatchObject({ code: 4001 })
    expect(client.session.get()).toEqual({ status: 'error', error })
    expect(client.wallet.get()).toEqual({ status: 'disconnected', error })
    await connectWallet(client)
    wallet.rejectNext()
    expect((await failure(signInWithWallet(client))).cause).toMatchObject({ code: 4001 })
    expect(client.wallet.get().status).toBe('connected')
    expect(client.session.get().status).toBe('error')
  })

  test('S22: an account that changes while it signs is not signed in', async () => {
    const { wallet, client, wire } = await open()
    await connectWallet(client)
    wallet.switchAccountWhileSigning(1)
    const error = await failure(signInWithWallet(client))
    expect(error.message).toBe('The account in the wallet changed while signing.')
    expect(getUser(client)).toBeUndefined()
    expect(wire.calls.filter(({ path }) => path === '/auth/signInWithWallet')).toEqual([])
  })

  test('S22: a wallet that does not report its change is not signed in with', async () => {
    const { wallet, client } = await open()
    const provider = {
      async request({ method, params }: { method: string; params?: readonly unknown[] }) {
        const { result, error } = await wallet.answer({ method, params })
        if (error) throw error
        return result
      },
    }
    await connectWallet(client, { connector: createInjectedConnector({ id: 'silent', getProvider: () => provider }) })
    await wallet.switchAccount(1)
    const error = await failure(signInWithWallet(client))
    expect(error.message).toBe('The wallet uses a different account than the one shown.')
    expect(wallet.signed()).toEqual([])
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(client.wallet.get()).toMatchObject({ account: wallet.addresses[1] }), {
      timeout: 60_000,
    })
    expect(await signInWithWallet(client)).toMatchObject({ ethAddress: lower(wallet.addresses[1]) })
  })

  test('R13, R19: Phantom connects and signs in by one prompt, where the wallet offers solana:signIn', async () => {
    const { wallet, client } = await open({ name: 'Phantom', evm: 'none', solana: 'signIn' })
    const user = await signInWithWallet(client, { connector: 'phantom' })
    expect(user?.solAddress).toBe(wallet.solanaAddresses[0])
    expect(wallet.prompts().map(({ method }) => method)).toEqual(['solana:signIn'])
    expect(client.wallet.get()).toMatchObject({ status: 'connected', account: wallet.solanaAddresses[0] })
  })

  test('R13, R19: without it the text is signed after connecting', async () => {
    const { wallet, client } = await open({ name: 'Phantom', evm: 'none', solana: 'signMessage' })
    expect(await signInWithWallet(client, { connector: 'phantom' })).toMatchObject({
      solAddress: wallet.solanaAddresses[0],
    })
    expect(wallet.prompts().map(({ method }) => method)).toEqual(['solana:connect', 'solana:signMessage'])
  })

  test.each(['signIn', 'signMessage'] as const)(
    'S28, S29: rejects a wallet that signs another text by %s',
    async (solana) => {
      const { wallet, client, wire } = await open({ name: 'Phantom', evm: 'none', solana })
      wallet.alterNextText((text) => text.replace(/^\S+/, 'evil.example'))
      const error = await failure(signInWithWallet(client, { connector: 'phantom' }))
      expect(error.code).toBe(errorCodes.OperationForbidden)
      expect(wire.calls.filter(({ path }) => path === '/auth/signInWithWallet')).toEqual([])
      const [, other] = wallet.solanaAddresses
      wallet.alterNextText((text) => text.replace(/\n\S+\n/, `\n${other}\n`))
      await failure(signInWithWallet(client, { connector: 'phantom' }))
      expect(getUser(client)).toBeUndefined()
    },
  )

  test('S3, S5: parts that are for another page never reach the wallet', async () => {
    const { wallet, client } = await open(
      { name: 'Phantom', evm: 'none', solana: 'signIn' },
      {
        async fetch(input, init) {
          const response = await fetch(input, init)
          if (!String(input).endsWith('/auth/challenge')) return response
          const challenge = (await response.json()) as { fields: object }
          return Response.json({ ...challenge, fields: { ...challenge.fields, domain: 'evil.example' } })
        },
      },
    )
    const error = await failure(signInWithWallet(client, { connector: 'phantom' }))
    expect(error).toMatchObject({ code: errorCodes.OperationForbidden, details: expect.stringContaining('evil') })
    expect(wallet.prompts()).toEqual([])
  })

  test('the demo wallet signs in', async () => {
    const { client } = await open({}, { demoWallet: true })
    expect((await signInWithWallet(client, { connector: 'demo' }))?.ethAddress).toMatch(/^0x[0-9a-f]{40}$/)
  })

  test('linking, merging and confirming take the connected wallet', async () => {
    const { wallet, client } = await open()
    await signUp(client, { username: `policy-${++count}`, password: 'correct horse battery' })
    await connectWallet(client)
    expect(client.mismatch.get()).toBeUndefined()
    await linkWallet(client)
    expect(await listLinkedWallets(client)).toMatchObject([{ address: wallet.addresses[0] }])
    expect(await reauthenticate(client, {})).toHaveProperty('confirmedUntil')
    const other = await open()
    await signInWithWallet(other.client, { connector: 'injected' })
    const taken = await failure(linkWallet(other.client, { signer: client.internal.walletParts.open?.signer }))
    expect(taken.code).toBe(errorCodes.AccountAlreadyLinked)
    expect(
      await previewAccountMerge(other.client, { signer: client.internal.walletParts.open?.signer }),
    ).toHaveProperty('from')
  })
})

describe('the wallet changes to another account', () => {
  async function signedIn(options: ClientOptions = {}, storage = createMemory()) {
    const opened = await open({ accounts: 3 }, options, storage)
    await signInWithWallet(opened.client, { connector: 'injected' })
    return opened
  }

  test('S22: ask (default): a foreign one is shown beside the user, who stays signed in', async () => {
    const { wallet, client } = await signedIn()
    expect(client.mismatch.get()).toBeUndefined()
    await wallet.switchAccount(1)
    expect(client.mismatch.get()).toEqual({
      account: wallet.addresses[1],
      namespace: 'eip155',
      signedInAs: wallet.addresses[0],
    })
    expect(client.session.get().status).toBe('authenticated')
    await wallet.switchAccount(0)
    expect(client.mismatch.get()).toBeUndefined()
  })

  test('keeping, linking and switching each end the question', async () => {
    const { wallet, client } = await signedIn()
    await wallet.switchAccount(1)
    dismissMismatch(client)
    expect(client.mismatch.get()).toBeUndefined()
    await wallet.switchAccount(2)
    expect(client.mismatch.get()?.account).toBe(wallet.addresses[2])
    await linkWallet(client)
    expect(client.mismatch.get()).toBeUndefined()
    await wallet.switchAccount(1)
    expect(client.mismatch.get()?.account).toBe(wallet.addresses[1])
    const former = getUser(client)
    expect((await signInWithWallet(client))?.objectId).not.toBe(former?.objectId)
    expect(client.mismatch.get()).toBeUndefined()
  })

  test('a linked one changes nothing under keepLinked, a foreign one signs out', async () => {
    const opened = await signedIn({ onAccountChange: 'keepLinked' })
    const { wallet, client } = opened
    await linkSecond(opened)
    await wallet.switchAccount(0)
    await settled()
    expect(client.session.get().status).toBe('authenticated')
    await wallet.switchAccount(2)
    await vi.waitFor(() => expect(client.session.get().status).toBe('unauthenticated'), { timeout: 60_000 })
  })

  test('signOut: every change signs out, a linked one too', async () => {
    const opened = await signedIn({ onAccountChange: 'signOut' })
    const { wallet, client } = opened
    await linkSecond(opened)
    expect(client.session.get().status).toBe('authenticated')
    await wallet.switchAccount(0)
    await vi.waitFor(() => expect(client.session.get().status).toBe('unauthenticated'), { timeout: 60_000 })
  })

  test.each(['ask', 'keepLinked', 'signOut'] as const)(
    '%s: a change of chain, a lock and a disconnect leave the session alone',
    async (onAccountChange) => {
      const { wallet, client } = await signedIn({ onAccountChange })
      await wallet.switchChain(137)
      await wallet.lock()
      await wallet.unlock()
      await wallet.disconnect()
      await disconnectWallet(client)
      await settled()
      expect(client.session.get().status).toBe('authenticated')
    },
  )

  test('S22, S23: a change while the page was closed is shown after a reload, without a prompt', async () => {
    const { wallet, client, storage } = await signedIn()
    const user = getUser(client)
    await wallet.switchAccount(1)
    wallet.clear()
    const page = createPage(vi.stubGlobal, server.origin, storage)
    announceTestWallet(wallet, page)
    const { appId, serverUrl } = server
    const again = createClient({ appId, serverUrl, session: 'storage', throwOnError: true })
    await initialize(again)
    await vi.waitFor(() => expect(again.wallet.get().status).toBe('connected'), { timeout: 60_000 })
    expect(getUser(again)?.objectId).toBe(user?.objectId)
    expect(again.mismatch.get()).toMatchObject({ account: wallet.addresses[1] })
    expect(wallet.prompts()).toEqual([])
  })

  test('a missing wallet does not hold up the session on reload', async () => {
    const { storage } = await signedIn()
    createPage(vi.stubGlobal, server.origin, storage)
    const { appId, serverUrl } = server
    const again = createClient({ appId, serverUrl, session: 'storage', throwOnError: true })
    const first = await Promise.race([initialize(again).then(() => 'session'), startWallet(again).then(() => 'wallet')])
    expect(first).toBe('session')
    expect(again.session.get().status).toBe('authenticated')
  })

  /** Links the second account. Under `signOut` the change must come while the wallet is asked, or it would sign out. */
  async function linkSecond({ wallet, client }: Awaited<ReturnType<typeof signedIn>>) {
    wallet.hold()
    const linking = failure(linkWallet(client))
    await vi.waitFor(() => expect(wallet.prompts().at(-1)?.method).toBe('personal_sign'), { timeout: 60_000 })
    await wallet.switchAccount(1)
    await wallet.approve()
    expect((await linking).message).toBe('The account in the wallet changed while signing.')
    wallet.release()
    await linkWallet(client)
  }

  const settled = () => new Promise((resolve) => setTimeout(resolve, 50))
})
