import { act, cleanup, configure, waitFor } from '@testing-library/react'
import { StrictMode, version } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { saveUser } from '../../core/account/saveUser.ts'
import type { Client, ClientOptions, InitialSession } from '../../core/client/Client.ts'
import { signOut } from '../../core/session/signOut.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import type { User } from '../../core/values/User.ts'
import { createWire } from '../../testing/createWire.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { visit } from '../../testing/visit.ts'
import { useSessions } from '../account/useSessions.ts'
import { useInitialization, useSession, useUser } from '../session/useSession.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { useClient } from './useClient.ts'

// A second, which is the default, is a moment on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

const server = serveTests()
let root: Root | undefined
beforeEach(() => {
  window.localStorage.clear()
  visit(server.origin)
})
afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
  cleanup()
})

let counter = 0

function create(options: ClientOptions = {}) {
  const wire = createWire()
  const client = createClient({ appId: server.appId, serverUrl: '/server', fetch: wire.fetch, ...options })
  return { client, wire }
}

async function connect(options: ClientOptions = {}) {
  const made = create(options)
  await initialize(made.client)
  return made
}

/** Signs in a new user by cookie and returns the session that a rendering server would find. */
async function signInAsNew(): Promise<{ client: Client; rendered: InitialSession; username: string }> {
  const { client } = await connect()
  const username = `rendered-${++counter}`
  await signUp(client, { username, password: 'correct horse battery' })
  const { user } = JSON.parse(window.localStorage.getItem(`Countersign/${server.appId}/session`) ?? '{}')
  return { client, rendered: { status: 'authenticated', user }, username }
}

const seen: { text: string; user: User | undefined; client: Client }[] = []

function Overview() {
  const sessions = useSessions()
  const parts = [useSession().status, useUser()?.username, useInitialization().status, useWallet().status]
  const text = [...parts, sessions.status].join(' ')
  seen.push({ text, user: useUser(), client: useClient() })
  return <p>{text}</p>
}

/** Renders on the server, then in the page; returns the HTML and React's warnings. */
async function open(initialSession: InitialSession | undefined, client?: Client) {
  const page = (
    <StrictMode>
      <CountersignProvider
        {...(client ? { client } : { appId: server.appId, serverUrl: '/server', initialSession })}
        initializeOnMount
      >
        <Overview />
      </CountersignProvider>
    </StrictMode>
  )
  const html = renderToString(page)
  seen.length = 0
  const container = document.createElement('div')
  container.innerHTML = html
  const complaints: unknown[] = []
  const log = vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words))
  await act(async () => {
    root = hydrateRoot(container, page, { onRecoverableError: (error) => void complaints.push(error) })
  })
  log.mockRestore()
  return { html, container, complaints, root: root as Root }
}

const texts = () => seen.map(({ text }) => text)

test('the version of React is the one that these tests are run for', () => {
  expect(version.split('.')[0]).toBe(process.env.REACT_VERSION ?? '19')
})

test('a page rendered with its user shows it in the first HTML, without another request', async () => {
  const { rendered, username } = await signInAsNew()
  const { wire, client } = create({ initialSession: rendered })
  const { html, container, complaints } = await open(undefined, client)
  expect(html).toBe(`<p>authenticated ${username} idle reconnecting pending</p>`)
  await waitFor(() => expect(container.textContent).toBe(`authenticated ${username} ready disconnected success`))
  expect(complaints).toEqual([])
  expect(texts().filter((text) => !text.startsWith(`authenticated ${username} `))).toEqual([])
  expect(texts().join()).not.toContain('error')
  expect(new Set(seen.map(({ user }) => user)).size, 'the user keeps its identity').toBe(1)
  expect(wire.calls.map(({ path }) => path)).toEqual(['/sessions'])
  expect((await saveUser(client, { city: 'London' }, { throwOnError: true }))?.city).toBe('London')
})

test('rendered again with another response, the provider keeps its client and its session', async () => {
  const { rendered, username } = await signInAsNew()
  const { container, root } = await open(rendered)
  await waitFor(() => expect(container.textContent).toContain('ready'))
  await act(async () =>
    root.render(
      <StrictMode>
        <CountersignProvider
          appId={server.appId}
          serverUrl="/server"
          initialSession={{ status: 'unauthenticated' }}
          initializeOnMount
        >
          <Overview />
        </CountersignProvider>
      </StrictMode>,
    ),
  )
  expect(container.textContent).toContain(`authenticated ${username}`)
})

test('rendered for a visitor: unauthenticated in the first HTML, without a request', async () => {
  const { html, container, complaints } = await open({ status: 'unauthenticated' })
  expect(html).toBe('<p>unauthenticated  idle reconnecting pending</p>')
  await waitFor(() => expect(container.textContent).toBe('unauthenticated  ready disconnected error'))
  expect(complaints).toEqual([])
})

test('rendered for a visitor while another tab signed in: the page uses the browser’s session', async () => {
  const { username } = await signInAsNew()
  const { container, complaints } = await open({ status: 'unauthenticated' })
  await waitFor(() => expect(container.textContent).toContain(`authenticated ${username} ready`))
  expect(complaints).toEqual([])
})

test('rendered for a user who has signed out since in another tab: the server is asked, and the page follows', async () => {
  const { client, rendered } = await signInAsNew()
  await signOut(client)
  const { container, complaints } = await open(rendered)
  await waitFor(() => expect(container.textContent).toContain('unauthenticated  ready'))
  expect(window.localStorage.getItem(`Countersign/${server.appId}/session`)).toBeNull()
  expect(complaints).toEqual([])
})

test('rendered for one user while another has signed in since: the server says who it is', async () => {
  const { rendered } = await signInAsNew()
  const { username } = await signInAsNew()
  const { container } = await open(rendered)
  await waitFor(() => expect(container.textContent).toContain(`authenticated ${username} ready`))
})

test('a browser that remembers nothing takes the rendered session over, for its other tabs too', async () => {
  const { rendered, username } = await signInAsNew()
  window.localStorage.clear()
  const { container } = await open(rendered)
  await waitFor(() => expect(container.textContent).toContain(`authenticated ${username} ready`))
  const again = await connect()
  expect(again.client.session.get()).toMatchObject({ status: 'authenticated', user: { username } })
})

test('keeps what the browser saved after the page was rendered', async () => {
  const { client, rendered } = await signInAsNew()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await saveUser(client, { city: 'Paris' }, { throwOnError: true })
  const opened = await connect({ initialSession: rendered })
  expect(opened.client.session.get()).toMatchObject({ user: { city: 'Paris' } })
  expect(opened.wire.calls).toEqual([])
})

test('ignores a rendered user if page and server share no origin', async () => {
  const { rendered } = await signInAsNew()
  window.localStorage.clear()
  const { client } = await connect({ initialSession: rendered, session: 'storage' })
  expect(client.session.get()).toEqual({ status: 'unauthenticated' })
})

test('an invalid user counts as unknown', () => {
  for (const user of [null, {}, { objectId: 7 }, []]) {
    const client = createClient({ initialSession: { status: 'authenticated', user } as unknown as InitialSession })
    expect(client.session.get()).toEqual({ status: 'undefined' })
  }
})
