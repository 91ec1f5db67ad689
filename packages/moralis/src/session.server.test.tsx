import { useSession } from '@countersign/react'
import { createClient } from '@countersign/react/core'
import { announceTestWallet, createTestWallet } from '@countersign/react/testing'
import { act, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { createWire } from '../../react/src/testing/createWire.ts'
import { serveTests } from '../../react/src/testing/serveTests.ts'
import { setUpPage } from '../../react/src/testing/setUpPage.ts'
import { visit } from '../../react/src/testing/visit.ts'
import {
  type MoralisContextValue,
  MoralisProvider,
  type MoralisProviderProps,
  NotAuthenticatedError,
  useMoralis,
  ValidationError,
} from './index.ts'

setUpPage()
const server = serveTests()
beforeAll(() => visit(server.origin))

const password = 'correct horse battery'
let counter = 0
const newName = () => `older-${++counter}`

/** A page of an application, in StrictMode. Every value that a component was shown is noted. */
function open(props: Partial<MoralisProviderProps> = {}) {
  const wire = createWire()
  const { appId, serverUrl } = server
  const client = createClient({ session: 'storage', fetch: wire.fetch })
  const given = { appId, serverUrl, client, ...props } as MoralisProviderProps
  const seen: MoralisContextValue[] = []
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <MoralisProvider {...given}>{children}</MoralisProvider>
    </StrictMode>
  )
  const useAll = () => {
    const value = useMoralis()
    seen.push(value)
    return value
  }
  const { result, unmount } = renderHook(useAll, { wrapper })
  const states = () => seen.map(({ auth }) => auth.state).filter((state, at, all) => state !== all[at - 1])
  return { result, wire, client, seen, states, unmount, wrapper }
}

async function openReady(props?: Partial<MoralisProviderProps>) {
  const page = open(props)
  await waitFor(() => expect(page.result.current.isInitialized).toBe(true))
  return page
}

async function openSignedIn() {
  const page = await openReady()
  const username = newName()
  await act(() => page.result.current.signup(username, password, `${username}@example.org`, { city: 'Arlington' }))
  return { ...page, username }
}

test('R1, R2, R4: initialized on mount once, in StrictMode too; it ends, and the stored session is looked at', async () => {
  const { result, states, seen } = await openReady()
  expect(result.current).toMatchObject({
    isInitialized: true,
    isInitializing: false,
    isUnauthenticated: true,
    user: null,
  })
  expect(result.current.appId).toBe(server.appId)
  expect(states()).toEqual(['undefined', 'unauthenticated'])
  expect(seen.some(({ isInitialized, isInitializing }) => isInitialized && isInitializing)).toBe(false)
})

test('R2, R3: without an id a manual initialize throws and can be called again; a stored session is restored then', async () => {
  const { unmount, username } = await openSignedIn()
  unmount()
  const { result } = open({ initializeOnMount: false, appId: null, serverUrl: null })
  expect(result.current).toMatchObject({
    isInitialized: false,
    isInitializing: false,
    isAuthUndefined: true,
    appId: null,
  })
  expect(() => result.current.initialize()).toThrow(/^No appId is provided/)
  expect(() => result.current.initialize({ appId: 'x' })).toThrow(/^No serverUrl is provided/)
  act(() => result.current.initialize({ appId: server.appId, serverUrl: server.serverUrl }))
  await waitFor(() => expect(result.current.isAuthenticated).toBe(true))
  expect(result.current.user?.getUsername()).toBe(username)
  expect(result.current.serverUrl).toBe(server.serverUrl)
  await waitFor(() => expect(result.current.isInitialized).toBe(true))
  act(() => result.current.initialize())
  expect(result.current.isInitialized).toBe(true)
})

test('R2: an initialization that fails is seen, does not hang and can be tried again', async () => {
  const { result } = open({ appId: '' })
  await waitFor(() => expect(result.current.hasAuthError).toBe(true))
  expect(result.current).toMatchObject({ isInitialized: false, isInitializing: false })
  expect(result.current.authError?.message).toMatch(/^No appId is provided/)
  act(() => result.current.initialize({ appId: server.appId, serverUrl: server.serverUrl }))
  await waitFor(() => expect(result.current.isInitialized).toBe(true))
  expect(result.current.isUnauthenticated).toBe(true)
})

test('R4, R5, R7: sign-up, logout and login, with the user of the older SDK', async () => {
  const { result, states, username, seen, wire } = await openSignedIn()
  const { user } = result.current
  expect(user?.get('city')).toBe('Arlington')
  expect(user?.getEmail()).toBe(`${username}@example.org`)
  expect(user?.getSessionToken()).toMatch(/^r:/)
  expect(user?.attributes).toMatchObject({ username, city: 'Arlington' })
  expect(user?.createdAt).toBeInstanceOf(Date)
  expect(result.current.Moralis.User.current()).toBe(user)
  const calls: string[] = []
  await act(() =>
    result.current.logout({ onSuccess: () => calls.push('success'), onComplete: () => calls.push('done') }),
  )
  expect(calls).toEqual(['success', 'done'])
  expect(result.current).toMatchObject({ user: null, isUnauthenticated: true, isLoggingOut: false })
  expect(seen.some(({ isLoggingOut, auth }) => isLoggingOut && auth.state === 'authenticating')).toBe(true)
  await act(() => result.current.login(username, password))
  expect(result.current.user?.id).toBe(user?.id)
  expect(wire.calls.filter(({ path }) => path === '/login').map(({ method }) => method)).toEqual(['POST'])
  expect(states()).toEqual([
    ...['undefined', 'unauthenticated', 'authenticating', 'authenticated'],
    ...['authenticating', 'unauthenticated', 'authenticating', 'authenticated'],
  ])
})

test('R4, R6: a failed login clears the user; onError stands before throwOnError', async () => {
  const { result, username } = await openSignedIn()
  const errors: Error[] = []
  await act(() =>
    result.current.login(username, 'wrong', { onError: (error) => errors.push(error), throwOnError: true }),
  )
  expect(errors[0]).toMatchObject({ code: 101, message: 'Invalid username/password.' })
  expect(result.current).toMatchObject({ user: null, hasAuthError: true, isAuthenticating: false })
  expect(result.current.authError).toMatchObject({ code: 101 })
  await act(() =>
    expect(result.current.login(username, 'wrong', { throwOnError: true })).rejects.toMatchObject({ code: 101 }),
  )
  await act(async () => expect(await result.current.login(username, 'wrong')).toBeUndefined())
})

test('R4, R7, R8: bad input is refused before the state moves, and nothing is stuck', async () => {
  const { result, states } = await openReady()
  const refuse = async (args: unknown[], message: string) => {
    const errors: Error[] = []
    const signup = result.current.signup as (...all: unknown[]) => Promise<unknown>
    await act(() => signup(...args, undefined, { onError: (error: Error) => errors.push(error) }))
    expect(errors[0]).toBeInstanceOf(ValidationError)
    expect(errors[0]?.message).toBe(message)
  }
  await refuse([5, password, undefined], 'username can only be a string type')
  await refuse(['a', 5, undefined], 'password can only be a string type')
  await refuse(['a', password, 5], 'email can only be a string type')
  await refuse(['', password, undefined], 'Cannot sign up user with an empty username.')
  await refuse(['a', '', undefined], 'Cannot sign up user with an empty password.')
  expect(states()).toEqual(['undefined', 'unauthenticated'])
})

test('R5, R9, R10: user data is saved and read again; a failed save is reverted; refused without a user', async () => {
  const { result, username, wire } = await openSignedIn()
  const before = result.current.user
  await act(() => result.current.setUserData({ city: 'London', nothing: undefined, gone: null }))
  expect(result.current.user).not.toBe(before)
  expect(result.current.user?.attributes).toMatchObject({ username, city: 'London', gone: null })
  expect(wire.calls.at(-1)?.body).toEqual({ city: 'London', gone: null })
  await act(() => result.current.setUserData({ email: 5 }))
  expect(result.current.userError?.message).toBe('email can only be a string type')
  expect(result.current.isUserUpdating).toBe(false)
  const taken = newName()
  await server.asMaster('POST', '/users', { username: taken, password })
  await act(() => result.current.setUserData({ username: taken, city: 'Paris' }))
  expect(result.current.userError).toMatchObject({ code: 202 })
  expect(result.current.user?.attributes).toMatchObject({ username, city: 'London' })
  await server.asMaster('PUT', `/classes/_User/${before?.id}`, { city: 'Rome' })
  await act(() => result.current.refetchUserData())
  expect(result.current.user?.get('city')).toBe('Rome')
  await act(() => result.current.logout())
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  await act(() => result.current.setUserData({ city: 'x' }, { onError }))
  await act(() => result.current.refetchUserData({ onError }))
  expect(errors.map(({ message }) => message)).toEqual([
    'User needs to be authenticated before setting new data',
    'User needs to be authenticated before refetching',
  ])
  expect(errors[0]).toBeInstanceOf(NotAuthenticatedError)
})

test('a session that the server no longer knows ends; the hooks of this package see the same session', async () => {
  const { result, client, wrapper } = await openSignedIn()
  const own = renderHook(() => useSession(), { wrapper })
  expect(own.result.current.status).toBe('authenticated')
  const { results } = (await server.asMaster('GET', '/classes/_Session')) as { results: { objectId: string }[] }
  for (const { objectId } of results) await server.asMaster('DELETE', `/classes/_Session/${objectId}`)
  await act(() => result.current.refetchUserData())
  expect(result.current).toMatchObject({ user: null, isAuthenticated: false })
  expect(client.session.get().status).toBe('unauthenticated')
})

test('R5, R12, R15: a wallet signs in; refused, locked and gone it is said so and nothing hangs', async () => {
  const rdns = 'org.example.older'
  const wallet = announceTestWallet(await createTestWallet({ rdns, chainId: 137 }), window)
  const { result, states, seen } = await openReady()
  wallet.rejectNext()
  const failed = await act(() => result.current.authenticate({ provider: rdns }))
  expect(failed).toBeUndefined()
  expect(result.current).toMatchObject({ hasAuthError: true, user: null, isWeb3EnableLoading: false })
  await act(() => result.current.authenticate({ provider: rdns }))
  const account = wallet.addresses[0]?.toLowerCase()
  expect(result.current).toMatchObject({ isAuthenticated: true, isWeb3Enabled: true, account, chainId: '0x89' })
  expect(result.current).toMatchObject({ network: 'evm', connectorType: 'injected', isWeb3EnableLoading: false })
  expect(result.current.user?.get('ethAddress')).toBe(account)
  expect(result.current.user?.get('accounts')).toEqual([account])
  expect(seen.some(({ isWeb3EnableLoading, auth }) => isWeb3EnableLoading && auth.state === 'authenticating')).toBe(
    true,
  )
  expect(states().slice(-4)).toEqual(['authenticating', 'error', 'authenticating', 'authenticated'])
  await act(() => result.current.logout())
  expect(result.current).toMatchObject({ user: null, isWeb3Enabled: false, account: null, web3: null, provider: null })
})
