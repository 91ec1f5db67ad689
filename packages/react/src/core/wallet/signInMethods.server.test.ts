// @vitest-environment node
import { type CountersignError, errorCodes } from '@countersign/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createSolanaSigner } from '../../testing/createSolanaSigner.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { createWire } from '../../testing/createWire.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { watchStates } from '../../testing/watchStates.ts'
import { refetchUser } from '../account/account.ts'
import { listActivity } from '../account/activity.ts'
import { linkWallet, listLinkedWallets, restoreWallet, unlinkWallet, updateWallet } from '../account/linkedWallets.ts'
import { mergeAccounts, previewAccountMerge, undoAccountMerge } from '../account/mergeAccounts.ts'
import { reauthenticate } from '../account/reauthenticate.ts'
import { listSignInMethods } from '../account/signInMethods.ts'
import type { Client, ClientOptions } from '../client/Client.ts'
import { getUser } from '../session/getUser.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { signUp } from '../session/signUp.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { createEip1193Signer } from './connectors/createEip1193Signer.ts'
import { signInWithWallet } from './signInWithWallet.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ rateLimit: [] })
})
afterAll(() => server.remove())

let counter = 0
const password = 'correct horse battery'

async function connect(options: ClientOptions = {}) {
  const wire = createWire()
  const storage = createMemory()
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, storage, fetch: wire.fetch, throwOnError: true, ...options })
  await initialize(client)
  return { client, wire, storage }
}

async function openSignedUp(options: ClientOptions = {}) {
  const connected = await connect(options)
  const wallet = createTestProvider()
  const username = `ways-in-${++counter}`
  await signUp(connected.client, { username, password, colour: 'teal' })
  connected.wire.calls.length = 0
  const seen = watchStates(connected.client.session)
  return { ...connected, username, wallet, signer: createEip1193Signer(wallet), seen }
}

async function failure(promise: Promise<unknown>): Promise<CountersignError> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: CountersignError) => error,
  )
}

const lower = (address: string | undefined) => address?.toLowerCase() ?? ''

describe('without a user', () => {
  const signer = createSolanaSigner()
  const objectId = 'someobject'
  test.each([
    ['linkWallet', (client) => linkWallet(client, { signer })],
    ['unlinkWallet', (client) => unlinkWallet(client, { objectId })],
    ['restoreWallet', (client) => restoreWallet(client, { objectId })],
    ['updateWallet', (client) => updateWallet(client, { objectId, primary: true })],
    ['listWallets', (client) => listLinkedWallets(client)],
    ['listSignInMethods', (client) => listSignInMethods(client)],
    ['previewMerge', (client) => previewAccountMerge(client, { signer })],
    ['merge', (client) => mergeAccounts(client, { objectId })],
    ['undoMerge', (client) => undoAccountMerge(client, { objectId })],
    ['stepUp', (client) => reauthenticate(client, { password })],
    ['listActivity', (client) => listActivity(client)],
  ] satisfies [string, (client: ReturnType<typeof createClient>) => Promise<unknown>][])(
    'R6: %s says that somebody has to be signed in, and sends nothing',
    async (_, act) => {
      const { client, wire } = await connect()
      const error = await failure(act(client))
      expect(error.name).toBe('NotAuthenticatedError')
      expect(error.message).toMatch(/^User needs to be authenticated before /)
      expect(wire.calls).toEqual([])
      expect(client.session.get()).toEqual({ status: 'unauthenticated' })
    },
  )
})

describe('linking', () => {
  test('R18: a linked wallet shows in the list and in the user, and the session state does not move', async () => {
    const { client, wallet, signer, seen, username } = await openSignedUp()
    const solana = createSolanaSigner()
    const linked = await linkWallet(client, { signer })
    expect(wallet.signed[0]).toContain(`Link this wallet to the account ${username} `)
    expect(linked).toMatchObject({ address: wallet.addresses[0], kind: 'eoa', namespace: 'eip155', primary: true })
    expect(linked?.linkedAt).toBeInstanceOf(Date)
    expect(linked?.lastUsedAt).toBeInstanceOf(Date)
    expect(Object.isFrozen(linked)).toBe(true)
    expect(getUser(client)).toMatchObject({
      ethAddress: lower(wallet.addresses[0]),
      accounts: [lower(wallet.addresses[0])],
    })
    await linkWallet(client, { signer: solana })
    expect(getUser(client)).toMatchObject({ solAddress: solana.address })
    const wallets = (await listLinkedWallets(client)) ?? []
    expect(wallets.map(({ address }) => address).sort()).toEqual([wallet.addresses[0], solana.address].sort())
    for (const { linkedAt, lastUsedAt } of wallets) {
      expect(linkedAt).toBeInstanceOf(Date)
      expect(lastUsedAt).toBeInstanceOf(Date)
    }
    expect(new Set(seen)).toEqual(new Set([`authenticated ${username}`]))
  })

  test('208: a wallet of another account is refused with the text of the server', async () => {
    const owner = await openSignedUp()
    await linkWallet(owner.client, { signer: owner.signer })
    const { client, seen } = await openSignedUp()
    const linking = linkWallet(client, { signer: owner.signer })
    await expect(linking).rejects.toMatchObject({ code: errorCodes.AccountAlreadyLinked, status: 409 })
    expect(seen).toHaveLength(1)
  })

  test('S17: a signature for another purpose links nothing', async () => {
    const { client, signer, wire } = await openSignedUp({
      fetch: async (input, init) => {
        const isChallenge = String(input).endsWith('/auth/challenge')
        const body = isChallenge ? String(init?.body).replace('"link"', '"signIn"') : init?.body
        return fetch(input, { ...init, body })
      },
    })
    expect(await failure(linkWallet(client, { signer }))).toMatchObject({ status: 401 })
    expect(await listLinkedWallets(client)).toEqual([])
    expect(wire.calls).toEqual([])
  })
})

describe('wallets of an account', () => {
  test('R5, D6: label, primary, unlink and undo; the user follows each time', async () => {
    const { client, wallet, signer } = await openSignedUp()
    const [first, second] = wallet.addresses.map(lower)
    await linkWallet(client, { signer })
    wallet.selected = 1
    const other = await linkWallet(client, { signer })
    const objectId = other?.objectId ?? ''
    expect(getUser(client)).toMatchObject({ ethAddress: first, accounts: [first, second] })

    expect(await updateWallet(client, { objectId, label: 'Savings' })).toMatchObject({
      label: 'Savings',
      primary: false,
    })
    expect(getUser(client)?.ethAddress).toBe(first)
    expect(await updateWallet(client, { objectId, primary: true })).toMatchObject({ label: 'Savings', primary: true })
    expect(getUser(client)).toMatchObject({ ethAddress: second, accounts: [second, first] })
    expect(await updateWallet(client, { objectId, label: null })).not.toHaveProperty('label')

    const gone = await unlinkWallet(client, { objectId })
    expect(gone?.undoUntil.getTime()).toBeGreaterThan(Date.now())
    expect(getUser(client)).toMatchObject({ ethAddress: first, accounts: [first] })
    expect(await restoreWallet(client, { objectId })).toMatchObject({ objectId, address: wallet.addresses[1] })
    expect(getUser(client)?.accounts).toHaveLength(2)
  })

  test('S20: the last sign-in method stays', async () => {
    const { client } = await connect()
    const signer = createEip1193Signer(createTestProvider())
    await signInWithWallet(client, { signer })
    const [wallet] = (await listLinkedWallets(client)) ?? []
    const error = await failure(unlinkWallet(client, { objectId: wallet?.objectId ?? '' }))
    expect(error.message).not.toBe('')
    expect(await listLinkedWallets(client)).toHaveLength(1)
    expect(await listSignInMethods(client)).toMatchObject({
      password: false,
      wallets: [{ objectId: wallet?.objectId }],
      passkeys: [],
    })
  })

  test('R4: an id that cannot be one is refused before anything is sent', async () => {
    const { client, wire } = await openSignedUp()
    for (const objectId of ['', '..', undefined as never]) {
      expect((await failure(unlinkWallet(client, { objectId }))).name).toBe('ValidationError')
      expect((await failure(mergeAccounts(client, { objectId }))).name).toBe('ValidationError')
    }
    expect(wire.calls).toEqual([])
  })
})

describe('confirmation', () => {
  test('S20: after a while a proof is asked for again; password and wallet are such proofs', async () => {
    const { client, signer, storage } = await openSignedUp()
    const wallet = await linkWallet(client, { signer })
    const objectId = wallet?.objectId ?? ''
    for (const proof of [{ password }, { signer }]) {
      await server.passTime(20 * 60_000)
      const refusal = await failure(unlinkWallet(client, { objectId }))
      expect(refusal).toMatchObject({ code: errorCodes.OperationForbidden, reason: 'reauthenticationRequired' })
      const token = client.internal.current?.credential.token
      const answer = await reauthenticate(client, proof)
      expect(Object.keys(answer ?? {})).toEqual(['confirmedUntil'])
      expect(answer?.confirmedUntil).toBeInstanceOf(Date)
      // S16: the session goes on under a new token, here and in storage.
      const renewed = client.internal.current?.credential.token
      expect(renewed).not.toBe(token)
      expect([...storage.items.values()].join()).toContain(renewed)
      expect(await refetchUser(client)).toBeDefined()
      await unlinkWallet(client, { objectId })
      await restoreWallet(client, { objectId })
    }
  })

  test('S20: a wrong password and a wallet of somebody else confirm nothing', async () => {
    const { client, signer } = await openSignedUp()
    expect(await failure(reauthenticate(client, { password: 'wrong' }))).toMatchObject({ status: 401 })
    expect(await failure(reauthenticate(client, { signer }))).toMatchObject({ status: 401 })
    expect((await failure(reauthenticate(client, { password: 7 } as never))).name).toBe('ValidationError')
    expect((await failure(reauthenticate(client, {} as never))).name).toBe('ValidationError')
    expect(client.session.get().status).toBe('authenticated')
  })
})

describe('merging', () => {
  test('S21: preview, merge and undo; the user follows', async () => {
    const other = await connect()
    const wallet = createTestProvider()
    const signer = createEip1193Signer(wallet)
    const absorbed = await signInWithWallet(other.client, { signer })
    const { client, username } = await openSignedUp()

    const preview = await previewAccountMerge(client, { signer })
    expect(preview).toMatchObject({
      from: { objectId: absorbed?.objectId },
      into: { objectId: getUser(client)?.objectId, username },
      wallets: [{ address: wallet.addresses[0] }],
      passkeys: [],
    })
    expect(preview?.expiresAt).toBeInstanceOf(Date)
    expect(preview?.wallets[0]?.linkedAt).toBeInstanceOf(Date)
    expect(await listLinkedWallets(client)).toEqual([])

    const objectId = preview?.objectId ?? ''
    const done = await mergeAccounts(client, { objectId })
    expect(done?.undoUntil).toBeInstanceOf(Date)
    expect(getUser(client)).toMatchObject({ username, ethAddress: lower(wallet.addresses[0]) })
    expect(await listLinkedWallets(client)).toHaveLength(1)
    expect(await failure(refetchUser(other.client))).toMatchObject({ code: errorCodes.InvalidSessionToken })

    await undoAccountMerge(client, { objectId })
    expect(getUser(client)?.ethAddress).toBeFalsy()
    expect(await listLinkedWallets(client)).toEqual([])
    expect((await signInWithWallet(other.client, { signer }))?.objectId).toBe(absorbed?.objectId)
  })

  test('S21: any sign-in proves the other account, beside the session of the page', async () => {
    const { username: name } = await openSignedUp()
    const items = new Map<string, string>()
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    }
    const { client, username } = await openSignedUp({ storage, session: 'storage' })
    const before = client.internal.current?.credential
    const kept = [...items]
    expect(JSON.stringify(kept)).toContain(before?.token)
    const signIn = (other: Client) => signInWithPassword(other, { username: name, password })
    const preview = await previewAccountMerge(client, { signIn })
    expect(preview).toMatchObject({ from: { username: name }, into: { username }, sessionsEnded: 1 })
    expect(client.internal.current?.credential).toEqual(before)
    expect([...items]).toEqual(kept)
    await mergeAccounts(client, { objectId: preview?.objectId ?? '' })
    await undoAccountMerge(client, { objectId: preview?.objectId ?? '' })
    const itself = previewAccountMerge(client, {
      signIn: (other) => signInWithPassword(other, { username, password }),
    })
    expect(await failure(itself)).toMatchObject({ reason: 'mergeWithItself' })
    const wrong = (other: Client) => signInWithPassword(other, { username: name, password: 'not that one' })
    expect((await failure(previewAccountMerge(client, { signIn: wrong }))).code).toBe(errorCodes.ObjectNotFound)
    const nobody = previewAccountMerge(client, { signIn: async () => {} })
    expect((await failure(nobody)).name).toBe('NotAuthenticatedError')
    expect(client.session.get().status).toBe('authenticated')
  })

  test('S21: rejects a merge without a proof', async () => {
    const { client } = await openSignedUp()
    expect((await failure(mergeAccounts(client, { objectId: 'abcdefghij' }))).status).toBeGreaterThanOrEqual(400)
  })
})

test('the activity, latest first, by pages', async () => {
  const { client, signer } = await openSignedUp()
  await linkWallet(client, { signer })
  await reauthenticate(client, { password })
  const latest = (await listActivity(client)) ?? []
  expect(latest.map(({ action }) => action)).toEqual(expect.arrayContaining(['linkWallet', 'reauthenticate']))
  for (const entry of latest) expect(entry.at).toBeInstanceOf(Date)
  const [first, second] = latest
  expect(first?.at.getTime()).toBeGreaterThanOrEqual(second?.at.getTime() ?? 0)
  expect((await listActivity(client, { limit: 1 }))?.length).toBe(1)
  const older = (await listActivity(client, { before: first?.at })) ?? []
  expect(older.map(({ id }) => id)).not.toContain(first?.id)
  expect(older.length).toBeGreaterThan(0)
})
