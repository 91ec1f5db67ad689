import { act, render, renderHook, screen, waitFor } from '@testing-library/react'
import { Component, type ReactNode, useEffect } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import * as account from '../../account.ts'
import * as chain from '../../chain.ts'
import { CountersignProvider, type CountersignProviderProps } from '../../components/CountersignProvider.tsx'
import { listSessions } from '../../core/account/sessions.ts'
import type { Client, ClientOptions } from '../../core/client/Client.ts'
import { findDocuments } from '../../core/documents/findDocuments.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { MissingProviderError } from '../../core/errors/errors.ts'
import { signInWithPassword } from '../../core/session/signInWithPassword.ts'
import { signOut } from '../../core/session/signOut.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import * as entry from '../../index.ts'
import { connectTo } from '../../testing/connectTo.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { createWire } from '../../testing/createWire.ts'
import { inside } from '../../testing/inside.tsx'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { useSaveUser } from '../account/useAccount.ts'
import { useOutbox } from '../account/useOutbox.ts'
import { useRevokeOtherSessions, useSessions } from '../account/useSessions.ts'
import { useClient } from '../client/useClient.ts'
import { useInitialization, useSession, useUser } from './useSession.ts'
import { useSignInWithPassword, useSignOut, useSignUp } from './useSignIn.ts'

setUpPage()
const server = serveTests()

const password = 'correct horse battery'
let counter = 0
const newName = () => `hook-${++counter}`

const connect = (options?: ClientOptions) => connectTo(server, options)

async function connectSignedIn(options: ClientOptions = {}) {
  const connected = await connect(options)
  const username = newName()
  await signUp(connected.client, { username, password })
  connected.wire.calls.length = 0
  return { ...connected, username }
}

function Start(input: { appId: string; serverUrl: string }) {
  const { initialize: start, status } = useInitialization()
  const { appId, serverUrl } = input
  useEffect(() => void start({ appId, serverUrl }), [start, appId, serverUrl])
  return <p>{`${status} ${useSession().status} ${useUser()?.username}`}</p>
}

function Status() {
  return <p>{useInitialization().status}</p>
}

function List() {
  const sessions = useSessions()
  return <p>{sessions.status === 'success' ? `${sessions.data.length} session` : sessions.status}</p>
}

function Overview() {
  return <p>{`${useSession().status} ${useInitialization().status} ${useSessions().status} ${useUser()}`}</p>
}

function Call({ hook: useHook }: { hook: () => unknown }) {
  useHook()
  return null
}

class Boundary extends Component<{ children: ReactNode; onError: (error: unknown) => void }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override componentDidCatch(error: unknown) {
    this.props.onError(error)
  }
  override render() {
    return this.state.failed ? null : this.props.children
  }
}

describe('the provider', () => {
  test('R1: it supplies the layer and does not initialize on mount unless asked to', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch')
    const { result } = renderHook(() => ({ ...useInitialization(), session: useSession() }), inside({ ...server }))
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
    expect(result.current.status).toBe('idle')
    expect(result.current.session).toEqual({ status: 'undefined' })
    expect(fetch).not.toHaveBeenCalled()
    fetch.mockRestore()
  })

  test('R2: explicit initialization from a component, in StrictMode, runs once', async () => {
    const { client: other, username } = await connectSignedIn()
    expect(other.session.get().status).toBe('authenticated')
    const wire = createWire()
    const client = createClient({ session: 'storage', fetch: wire.fetch })
    const { appId, serverUrl } = server
    render(<Start appId={appId} serverUrl={serverUrl} />, inside({ client }))
    await screen.findByText(`ready authenticated ${username}`)
    expect(wire.calls).toHaveLength(1)
  })

  test('R2: initializeOnMount', async () => {
    const { appId, serverUrl } = server
    const { result } = renderHook(() => useInitialization(), inside({ appId, serverUrl, initializeOnMount: true }))
    await waitFor(() => expect(result.current).toMatchObject({ status: 'ready', appId, serverUrl }))
  })

  test('R3: initializeOnMount without a server URL shows the error, and never as an unhandled rejection', async () => {
    const { appId } = server
    const props = { appId, initializeOnMount: true, throwOnError: true }
    const { result } = renderHook(() => useInitialization(), inside(props))
    await waitFor(() => expect(result.current.status).toBe('error'))
    expect(result.current).toMatchObject({ error: { message: expect.stringMatching(/^No serverUrl is provided/) } })
  })

  test('a configuration that arrives late is taken up', async () => {
    const { appId, serverUrl } = server
    const view = (props: CountersignProviderProps) => (
      <CountersignProvider {...props} initializeOnMount>
        <Status />
      </CountersignProvider>
    )
    const { rerender } = render(view({}))
    await screen.findByText('error')
    rerender(view({ appId, serverUrl }))
    await screen.findByText('ready')
  })

  test('it takes all options of a client, and its client is made once', async () => {
    const { appId, serverUrl } = server
    const seen = new Set<unknown>()
    const probe = <Call hook={() => void seen.add(useClient())} />
    const asked: string[] = []
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const chain = { id: 1, name: 'Ethereum', nativeCurrency, rpcUrls: ['https://node.test'] }
    const view = (attemptLimit: number) => (
      <CountersignProvider
        appId={appId}
        serverUrl={serverUrl}
        attemptLimit={attemptLimit}
        storage={createMemory()}
        chains={[chain]}
        connectors={[]}
        fetch={async (address) => {
          asked.push(String(address))
          return new Response('{"results":[]}')
        }}
      >
        {probe}
      </CountersignProvider>
    )
    const { rerender } = render(view(1))
    rerender(view(2))
    rerender(view(3))
    expect(seen.size).toBe(1)
    const [client] = seen as Set<Client>
    expect(client?.internal.options).toMatchObject({ attemptLimit: 1, chains: [{ id: 1 }] })
    await act(() => initialize(client as Client))
    await findDocuments(client as Client, defineQuery('Game'))
    expect(asked).toEqual([`${serverUrl}/classes/Game`])
  })

  test('it re-renders none of its consumers, and its client stays the same', async () => {
    const { client } = await connect()
    const renders = vi.fn()
    const probe = <Call hook={() => renders(useClient())} />
    const { rerender } = render(<CountersignProvider client={client}>{probe}</CountersignProvider>)
    await act(() => signUp(client, { username: newName(), password }))
    rerender(<CountersignProvider client={client}>{probe}</CountersignProvider>)
    expect(renders).toHaveBeenCalledTimes(1)
    expect(renders).toHaveBeenCalledWith(client)
  })
})

describe('R11: outside the provider', () => {
  const hooks = Object.entries({ ...entry, ...account, ...chain }).filter(([name]) => name.startsWith('use')) as [
    string,
    () => unknown,
  ][]

  test.each(hooks)('%s throws an error of its own kind that names the provider', (_, useHook) => {
    const errors: unknown[] = []
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    render(
      <Boundary onError={(error) => errors.push(error)}>
        <Call hook={useHook} />
      </Boundary>,
    )
    quiet.mockRestore()
    expect(errors[0]).toBeInstanceOf(MissingProviderError)
    expect(errors[0]).toMatchObject({
      name: 'MissingProviderError',
      message: expect.stringContaining('<CountersignProvider>'),
    })
  })
})

describe('mutations', () => {
  test('R4, R6: sign-up, logout, failed login and reset, each with the state of its latest call', async () => {
    const { client } = await connect()
    const { result } = renderHook(
      () => ({
        up: useSignUp(),
        out: useSignOut(),
        in: useSignInWithPassword(),
        session: useSession(),
        user: useUser(),
      }),
      inside({ client }),
    )
    const username = newName()
    expect(result.current.up.status).toBe('idle')
    let done: Promise<unknown> | undefined
    act(() => {
      done = result.current.up.signUp({ username, password })
    })
    expect(result.current.up.status).toBe('pending')
    expect(result.current.session.status).toBe('authenticating')
    await act(() => done)
    expect(result.current.up).toMatchObject({ status: 'success', data: { username } })
    expect(result.current.user?.username).toBe(username)

    await act(() => result.current.out.signOut())
    expect(result.current.out.status).toBe('success')
    expect(result.current.session).toEqual({ status: 'unauthenticated' })

    const onError = vi.fn()
    await act(() => result.current.in.signInWithPassword({ username, password: 'wrong' }, { onError }))
    expect(result.current.in).toMatchObject({ status: 'error', error: { message: 'Invalid username/password.' } })
    expect(result.current.session).toMatchObject({ status: 'error' })
    expect(onError).toHaveBeenCalledTimes(1)
    act(() => result.current.in.reset())
    expect(result.current.in.status).toBe('idle')
  })

  test('R6: throwOnError throws from the hook too, and the state is set', async () => {
    const { client } = await connect({ throwOnError: true })
    const { result } = renderHook(() => useSaveUser(), inside({ client }))
    await act(() =>
      expect(result.current.saveUser({ note: 'x' })).rejects.toThrow(
        'User needs to be authenticated before setting new data',
      ),
    )
    expect(result.current).toMatchObject({ status: 'error', error: { name: 'NotAuthenticatedError' } })
    await act(() => expect(result.current.saveUser({}, { throwOnError: false })).resolves.toBeUndefined())
  })

  test('functions keep their identity over renders', async () => {
    const { client } = await connectSignedIn()
    const { result, rerender } = renderHook(() => [useSaveUser().saveUser, useSignOut().signOut], inside({ client }))
    const before = result.current
    rerender()
    expect(result.current).toEqual(before)
    expect(result.current[0]).toBe(before[0])
    expect(result.current[1]).toBe(before[1])
  })

  test('of two calls the later one counts, and an unmounted component receives nothing', async () => {
    const { client, wire } = await connectSignedIn()
    const { result, unmount } = renderHook(() => useSaveUser(), inside({ client }))
    await act(async () => {
      const first = result.current.saveUser({ username: '' })
      const second = result.current.saveUser({ note: 'second' })
      await Promise.all([first, second])
    })
    expect(result.current).toMatchObject({ status: 'success', data: { note: 'second' } })
    const release = wire.hold()
    const late = result.current.saveUser({ note: 'late' })
    unmount()
    release()
    expect((await late)?.note).toBe('late')
  })

  test('useUser renders again when the user changes, and only then', async () => {
    const { client } = await connectSignedIn()
    const users = new Set<unknown>()
    const { result } = renderHook(() => {
      const user = useUser()
      users.add(user)
      return { user, ...useSaveUser() }
    }, inside({ client }))
    await act(() => result.current.saveUser({ note: result.current.user?.note ?? undefined }))
    expect(users.size).toBe(1)
    await act(() => result.current.saveUser({ note: 'new' }))
    expect(result.current.user?.note).toBe('new')
  })
})

describe('queries', () => {
  test('many components share one reading, also in StrictMode', async () => {
    const { client, wire } = await connectSignedIn()
    render(
      <>
        <List />
        <List />
        <List />
      </>,
      inside({ client }),
    )
    expect(screen.getAllByText('pending')).toHaveLength(3)
    expect(await screen.findAllByText('1 session')).toHaveLength(3)
    expect(wire.calls.map(({ path }) => path)).toEqual(['/sessions'])
  })

  test('revoking reads the list again, without a flash', async () => {
    const { client, username } = await connectSignedIn()
    // Another installation, or the server would put the new session in the place of the old one.
    window.localStorage.clear()
    const device = await connect()
    await signInWithPassword(device.client, { username, password })
    const seen: string[] = []
    const { result } = renderHook(() => {
      const sessions = useSessions()
      seen.push(sessions.status === 'success' ? `${sessions.data.length} ${sessions.isFetching}` : sessions.status)
      return { sessions, ...useRevokeOtherSessions() }
    }, inside({ client }))
    await waitFor(() => expect(result.current.sessions).toMatchObject({ status: 'success', isFetching: false }))
    await act(() => result.current.revokeOtherSessions())
    expect(result.current).toMatchObject({ status: 'success', data: 1 })
    await waitFor(() => expect(seen.at(-1)).toBe('1 false'))
    expect(seen.lastIndexOf('pending')).toBeLessThan(seen.indexOf('2 false'))
  })

  test('the former user’s data is not shown to the next', async () => {
    const { client } = await connectSignedIn()
    const { result } = renderHook(() => useSessions(), inside({ client }))
    await waitFor(() => expect(result.current.status).toBe('success'))
    await act(() => signOut(client))
    expect(result.current).toMatchObject({ status: 'error', error: { name: 'NotAuthenticatedError' } })
    await act(() => signUp(client, { username: newName(), password }))
    await waitFor(() => expect(result.current.status).toBe('success'))
    const own = await listSessions(client)
    expect(result.current).toMatchObject({ data: own?.map(({ objectId }) => ({ objectId })) })
  })

  test('a dead session makes the reading an error and the session unauthenticated', async () => {
    const { client } = await connectSignedIn()
    const { result } = renderHook(() => ({ sessions: useSessions(), session: useSession() }), inside({ client }))
    await waitFor(() => expect(result.current.sessions.status).toBe('success'))
    const user = client.session.get()
    await server.asMaster('DELETE', `/users/${'user' in user ? user.user?.objectId : ''}`)
    await act(() => result.current.sessions.refetch())
    expect(result.current.session).toEqual({ status: 'unauthenticated' })
    expect(result.current.sessions.status).toBe('error')
  })

  test('the last one to leave cancels the reading', async () => {
    const { client } = await connectSignedIn()
    const signals: (AbortSignal | null | undefined)[] = []
    client.internal.options.fetch = (_, init) => {
      signals.push(init?.signal)
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    }
    const { unmount } = renderHook(() => useSessions(), inside({ client }))
    await waitFor(() => expect(signals).toHaveLength(1))
    expect(signals[0]?.aborted).toBe(false)
    unmount()
    await waitFor(() => expect(signals[0]?.aborted).toBe(true))
  })

  test('a reading waits for the initialization, and shows when the server refuses it', async () => {
    const { appId, serverUrl } = server
    const client = createClient({ appId, serverUrl, session: 'storage' })
    const { result } = renderHook(() => useOutbox(), inside({ client }))
    expect(result.current.status).toBe('pending')
    await act(() => initialize(client))
    await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { code: 119 } }))
  })
})

test('on a server the state is undefined and nothing of a window is touched', () => {
  const html = renderToString(
    <CountersignProvider appId="app" serverUrl="http://localhost:1/server" initializeOnMount>
      <Overview />
    </CountersignProvider>,
  )
  expect(html).toBe('<p>undefined idle pending undefined</p>')
})
