// @vitest-environment node
import { type CountersignError, errorCodes } from '@countersign/protocol'
import { verifyMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createSolanaSigner } from '../../testing/createSolanaSigner.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { type Call, createWire } from '../../testing/createWire.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { refetchUser } from '../account/account.ts'
import { linkWallet, listLinkedWallets } from '../account/linkedWallets.ts'
import { listSessions } from '../account/sessions.ts'
import type { ClientOptions } from '../client/Client.ts'
import { getUser } from '../session/getUser.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { signOut } from '../session/signOut.ts'
import { signUp } from '../session/signUp.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import type { Signer } from '../state/Connector.ts'
import { createEip1193Signer } from './connectors/createEip1193Signer.ts'
import { signInWithWallet } from './signInWithWallet.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ rateLimit: [] })
})
afterAll(() => server.remove())

let counter = 0
const newName = () => `wallet-${++counter}`
const password = 'correct horse battery'
const isDenied = { code: 4001, message: 'User rejected the request.', data: { cause: 'rejected' } }

async function connect(options: ClientOptions = {}) {
  const wire = createWire()
  const client = createClient({
    appId: server.appId,
    serverUrl: server.serverUrl,
    storage: createMemory(),
    fetch: wire.fetch,
    throwOnError: true,
    ...options,
  })
  await initialize(client)
  return { client, wire, seen: watchStates(client.session) }
}

/** A connected client and a wallet in front of it. */
async function open(options: ClientOptions = {}) {
  const wallet = createTestProvider()
  return { ...(await connect(options)), wallet, signer: createEip1193Signer(wallet) }
}

async function openSignedUp(options: ClientOptions = {}) {
  const opened = await open(options)
  const username = newName()
  await signUp(opened.client, { username, password })
  opened.wire.calls.length = 0
  opened.seen.length = 0
  return { ...opened, username }
}

async function failure(promise: Promise<unknown>): Promise<CountersignError> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: CountersignError) => error,
  )
}

/** A promise that the test settles, as a person does the wallet's window. */
function createWindow() {
  let answer: (outcome?: unknown) => void = () => undefined
  let opened: () => void = () => undefined
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const outcome = new Promise<unknown>((resolve) => {
    answer = resolve
  })
  const onSign = () => {
    opened()
    return outcome
  }
  return { isOpen, onSign, answer }
}

const sentTo = (calls: Call[], path: string) => calls.filter((call) => call.path === path)

describe('authenticate', () => {
  test('R5, R19: a wallet signs the message of the server and its owner is in', async () => {
    const { client, wire, seen, wallet, signer } = await open()
    wallet.chainId = 137
    const user = await signInWithWallet(client, { signer })
    const address = wallet.addresses[0] ?? ''
    expect(seen).toEqual(['unauthenticated', 'authenticating', `authenticated ${user?.username}`])
    expect(user).toMatchObject({ ethAddress: address.toLowerCase(), accounts: [address.toLowerCase()] })
    expect(user?.createdAt).toBeInstanceOf(Date)
    expect(user).not.toHaveProperty('sessionToken')
    expect(wallet.calls).toEqual(['eth_requestAccounts', 'eth_chainId', 'personal_sign', 'eth_accounts', 'eth_chainId'])
    expect(wallet.signed).toHaveLength(1)
    const [call] = sentTo(wire.calls, '/auth/signInWithWallet')
    const { message, signature } = (call?.body ?? {}) as Record<string, `0x${string}`>
    expect(message).toBe(wallet.signed[0])
    expect(message).toContain(`\n${address}\n`)
    expect(message).toContain('\nChain ID: 137\n')
    expect(
      await verifyMessage({ address: address as `0x${string}`, message: message ?? '', signature: signature ?? '0x' }),
    ).toBe(true)
    const sessions = (await listSessions(client)) ?? []
    expect(sessions.map(({ proof }) => proof)).toEqual([{ message, signature }])
  })

  test('R19: the same wallet is the same user, another account of it another one', async () => {
    const { client, wallet, signer } = await open()
    const first = await signInWithWallet(client, { signer })
    const again = await signInWithWallet(client, { signer })
    wallet.selected = 1
    const other = await signInWithWallet(client, { signer })
    expect(again?.objectId).toBe(first?.objectId)
    expect(other?.objectId).not.toBe(first?.objectId)
    expect(getUser(client)).toBe(other)
    await signOut(client)
    expect(client.session.get()).toEqual({ status: 'unauthenticated' })
  })

  test('R19: a Solana account signs in by its Ed25519 key', async () => {
    const { client } = await connect()
    const signer = createSolanaSigner()
    expect(await signInWithWallet(client, { signer })).toMatchObject({ solAddress: signer.address })
    expect(await listLinkedWallets(client)).toMatchObject([
      { namespace: 'solana', kind: 'solana', address: signer.address },
    ])
  })

  test('R14: the chain can be named, and one that is not offered is refused before the wallet is asked to sign', async () => {
    const { client, wallet, signer } = await open()
    await signInWithWallet(client, { signer, chainId: '0xa' })
    expect(wallet.signed[0]).toContain('\nChain ID: 10\n')
    wallet.signed.length = 0
    const error = await failure(signInWithWallet(client, { signer, chainId: 999_999 }))
    expect(error.message).toContain('999999')
    expect(wallet.signed).toEqual([])
  })

  test('R6: onSuccess, onError and onComplete, and throwOnError', async () => {
    const { client, wallet, signer } = await open({ throwOnError: false })
    const order: string[] = []
    const callbacks = {
      onSuccess: () => order.push('success'),
      onError: ({ message }: CountersignError) => order.push(message),
      onComplete: () => order.push('complete'),
    }
    await signInWithWallet(client, { signer }, callbacks)
    wallet.selected = undefined
    expect(await signInWithWallet(client, { signer }, callbacks)).toBeUndefined()
    expect(await signInWithWallet(client, { signer })).toBeUndefined()
    await expect(signInWithWallet(client, { signer }, { throwOnError: true })).rejects.toThrow('Cannot authenticate')
    const noAccount = 'Cannot authenticate, no account returned from provider'
    expect(order).toEqual(['success', 'complete', noAccount, 'complete'])
  })
})

describe('results of the wallet', () => {
  test('R15, R4: no account', async () => {
    const { client, seen, wallet, signer, wire } = await openSignedUp()
    wallet.selected = undefined
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error.message).toBe('Cannot authenticate, no account returned from provider')
    expect(client.session.get()).toEqual({ status: 'error', error })
    expect(seen).toEqual([expect.stringMatching(/^authenticating /), 'error'])
    expect(sentTo(wire.calls, '/auth/challenge')).toEqual([])
  })

  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['a number', 7],
  ])('R15: %s in place of a signature', async (_, answer) => {
    const { client, wallet, signer, wire } = await open()
    wallet.onSign = () => answer
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error.message).toBe('Data not signed')
    expect(client.session.get()).toEqual({ status: 'error', error })
    expect(sentTo(wire.calls, '/auth/signInWithWallet')).toEqual([])
  })

  test('R15: there is no wallet at all', async () => {
    const { client } = await connect()
    const error = await failure(signInWithWallet(client, { signer: createEip1193Signer(undefined) }))
    expect(error.message).toBe('Missing web3 instance, make sure to call enableWeb3 or authenticate')
    expect(client.session.get()).toEqual({ status: 'error', error })
  })

  test('R16, R4: a refusal keeps code and data of the JSON-RPC error, and the user is cleared', async () => {
    const { client, seen, wallet, signer, username } = await openSignedUp()
    wallet.onSign = () => Promise.reject(isDenied)
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error).toMatchObject({ name: 'UserRejectedError', reason: 'userRejected', message: isDenied.message })
    expect(error.details).toContain('4001')
    expect(error.cause).toMatchObject({ name: 'ProviderError', code: 4001, data: { cause: 'rejected' } })
    expect(client.session.get()).toEqual({ status: 'error', error })
    expect(getUser(client)).toBeUndefined()
    expect(seen).toEqual([`authenticating ${username}`, 'error'])
    wallet.onSign = undefined
    expect(await signInWithWallet(client, { signer })).toMatchObject({ ethAddress: wallet.addresses[0]?.toLowerCase() })
  })

  test('R16: a signer of one’s own may throw anything', async () => {
    const { client } = await connect()
    const signer: Signer = { ...createSolanaSigner(), signMessage: () => Promise.reject({ ...isDenied, code: -32000 }) }
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error.message).toBe(isDenied.message)
    expect(error.cause).toMatchObject({ code: -32000, data: isDenied.data })
    const blunt: Signer = {
      ...signer,
      getAccount: () => {
        throw new TypeError('no wallet here')
      },
    }
    expect(await failure(signInWithWallet(client, { signer: blunt }))).toMatchObject({ message: 'no wallet here' })
    expect(client.session.get()).toMatchObject({ status: 'error' })
  })

  test('S22: an account that changes while the wallet signs is refused, and nothing is handed in', async () => {
    const { client, wallet, signer, wire } = await open()
    wallet.onSign = () => {
      wallet.selected = 1
    }
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error.message).toBe('The account in the wallet changed while signing.')
    wallet.selected = 0
    wallet.onSign = () => {
      wallet.selected = undefined
    }
    expect((await failure(signInWithWallet(client, { signer }))).message).toBe(error.message)
    expect(client.session.get()).toMatchObject({ status: 'error' })
    expect(sentTo(wire.calls, '/auth/signInWithWallet')).toEqual([])
    // Asked after the signature without opening a window.
    expect(wallet.calls.filter((method) => method === 'eth_requestAccounts')).toHaveLength(2)
  })

  test('S22: a signature of another account than the one shown does not sign in', async () => {
    const { client, wallet, signer } = await open()
    const mixed: Signer = {
      ...signer,
      signMessage: (text) => signer.signMessage(text, { address: wallet.addresses[1] ?? '' }),
    }
    const error = await failure(signInWithWallet(client, { signer: mixed }))
    expect(error.message).toMatch(/^The signature /)
    expect(client.session.get()).toEqual({ status: 'error', error })
  })

  test('a change of the chain while the wallet signs changes nothing for an account of one key', async () => {
    const { client, wallet, signer } = await open()
    wallet.onSign = () => {
      wallet.chainId = 10
    }
    expect(await signInWithWallet(client, { signer })).toMatchObject({ ethAddress: wallet.addresses[0]?.toLowerCase() })
    expect(wallet.signed[0]).toContain('\nChain ID: 1\n')
  })
})

describe('bad input', () => {
  const signer = createSolanaSigner()
  const missing = 'Missing web3 instance, make sure to call enableWeb3 or authenticate'
  test.each([
    ['no signer', {}, missing],
    ['null', { signer: null }, missing],
    ['a signer that cannot sign', { signer: { ...signer, signMessage: undefined } }, missing],
    [
      'a signer of no known chains',
      { signer: { ...signer, namespace: 'cosmos' } },
      'namespace of a signer can only be',
    ],
    ['a chain that is neither', { signer, chainId: {} }, 'chainId can only be a number or a string type'],
  ])('R4, R15: %s is refused before the state moves', async (_, input, message) => {
    const { client, seen, wire, username } = await openSignedUp()
    const error = await failure(signInWithWallet(client, input as never))
    expect(error).toMatchObject({ name: 'ValidationError', message: expect.stringContaining(message) })
    expect(await failure(linkWallet(client, input as never))).toMatchObject({ name: 'ValidationError' })
    expect(seen).toEqual([])
    expect(getUser(client)?.username).toBe(username)
    expect(wire.calls).toEqual([])
  })

  test('R4: before initialization nothing moves and the wallet is not asked', async () => {
    const client = createClient({ throwOnError: true })
    const wallet = createTestProvider()
    const error = await failure(signInWithWallet(client, { signer: createEip1193Signer(wallet) }))
    expect(error.code).toBe(errorCodes.NotInitialized)
    expect(client.session.get()).toEqual({ status: 'undefined' })
    expect(wallet.calls).toEqual([])
  })
})

describe('the message', () => {
  /** The real server behind an attacker who changes its messages. */
  function changing(change: (message: string) => unknown): ClientOptions {
    return {
      async fetch(input, init) {
        const response = await fetch(input, init)
        if (!String(input).endsWith('/auth/challenge')) return response
        const challenge = (await response.json()) as { message: string }
        return Response.json({ ...challenge, message: change(challenge.message) })
      },
    }
  }

  const other = createTestProvider().addresses[0] ?? ''
  test.each([
    ['for another account', (text: string) => text.replace(/0x[0-9a-fA-F]{40}/, other)],
    ['of another kind', (text: string) => text.replace('your Ethereum account', 'your Solana account')],
    ['that is no sign-in message', () => 'I give everything away'],
    ['that is missing', () => undefined],
  ])('S4: one %s never reaches the wallet', async (_, change) => {
    const { client, wallet, signer } = await open(changing(change))
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error).toMatchObject({ code: errorCodes.OperationForbidden, details: expect.stringContaining('received') })
    expect(wallet.signed).toEqual([])
    expect(client.session.get()).toEqual({ status: 'error', error })
  })

  test('S14: an expired message is fetched and signed again, once', async () => {
    const { client, wallet, signer, wire } = await open()
    let delays = 1
    wallet.onSign = async () => {
      if (delays-- > 0) await server.passTime(6 * 60_000)
    }
    expect(await signInWithWallet(client, { signer })).toMatchObject({ ethAddress: wallet.addresses[0]?.toLowerCase() })
    expect(wallet.signed).toHaveLength(2)
    expect(wallet.signed[0]).not.toBe(wallet.signed[1])
    expect(sentTo(wire.calls, '/auth/signInWithWallet')).toHaveLength(2)

    delays = 9
    wallet.signed.length = 0
    const error = await failure(signInWithWallet(client, { signer }))
    expect(error).toMatchObject({ status: 401, reason: 'challengeExpired' })
    expect(wallet.signed).toHaveLength(2)
    expect(client.session.get()).toEqual({ status: 'error', error })
  })
})

describe('one prompt at a time', () => {
  test('S23: the same wish twice at once is one prompt with one outcome', async () => {
    const { client, wallet, signer, wire, seen } = await open()
    const onSuccess = vi.fn()
    const [one, two] = await Promise.all([
      signInWithWallet(client, { signer }, { onSuccess }),
      signInWithWallet(client, { signer }, { onSuccess }),
    ])
    expect(one).toBe(two)
    expect(onSuccess).toHaveBeenCalledTimes(2)
    expect(wallet.signed).toHaveLength(1)
    expect(sentTo(wire.calls, '/auth/challenge')).toHaveLength(1)
    expect(seen).toHaveLength(3)
  })

  test('S23: another wish is refused while the wallet is asking, and moves nothing', async () => {
    const { client, wallet, signer } = await openSignedUp()
    const window = createWindow()
    wallet.onSign = window.onSign
    const linking = linkWallet(client, { signer })
    await window.isOpen
    const before = client.session.get()
    const other = createTestProvider()
    const error = await failure(signInWithWallet(client, { signer: createEip1193Signer(other) }))
    expect(error.code).toBe(errorCodes.OperationForbidden)
    expect(other.calls).toEqual([])
    expect(client.session.get()).toBe(before)
    window.answer()
    expect(await linking).toMatchObject({ address: wallet.addresses[0] })
    // The way is free again.
    expect(await signInWithWallet(client, { signer: createEip1193Signer(other) })).toBeDefined()
  })

  test.each(['logIn', 'logOut'] as const)('R4: an open wallet prompt does not delay %s', async (next) => {
    const { client, wallet, signer, wire, username } = await openSignedUp()
    const window = createWindow()
    wallet.onSign = window.onSign
    const waiting = failure(signInWithWallet(client, { signer }))
    await window.isOpen
    expect(client.session.get().status).toBe('authenticating')
    if (next === 'logIn') await signInWithPassword(client, { username, password })
    else await signOut(client)
    expect(client.session.get().status).toBe(next === 'logIn' ? 'authenticated' : 'unauthenticated')
    expect((await waiting).message).toBe('The request was canceled.')
    window.answer()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sentTo(wire.calls, '/auth/signInWithWallet')).toEqual([])
  })

  test('S23: an aborted signal ends the waiting, and a late signature is not handed in', async () => {
    const { client, wallet, signer, wire } = await open()
    const window = createWindow()
    wallet.onSign = window.onSign
    const controller = new AbortController()
    const waiting = failure(signInWithWallet(client, { signer }, { signal: controller.signal }))
    await window.isOpen
    controller.abort()
    const error = await waiting
    expect(client.session.get()).toEqual({ status: 'error', error })
    window.answer()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sentTo(wire.calls, '/auth/signInWithWallet')).toEqual([])
    wallet.onSign = undefined
    expect(await signInWithWallet(client, { signer })).toBeDefined()
    await failure(signInWithWallet(client, { signer }, { signal: controller.signal }))
    expect(wallet.signed).toHaveLength(2)
  })

  test('S23: neither initialization nor a reload asks the wallet anything', async () => {
    const storage = createMemory()
    const { client, wallet, signer } = await open({ storage })
    const user = await signInWithWallet(client, { signer })
    wallet.calls.length = 0
    const again = await connect({ storage })
    expect(getUser(again.client)?.objectId).toBe(user?.objectId)
    expect(await refetchUser(again.client)).toMatchObject({ ethAddress: wallet.addresses[0]?.toLowerCase() })
    expect(wallet.calls).toEqual([])
  })
})
