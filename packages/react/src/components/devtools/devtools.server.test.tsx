// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { writeReport } from '../../core/devtools/describeClient.ts'
import { getRecorder } from '../../core/devtools/getRecorder.ts'
import { findDocuments } from '../../core/documents/findDocuments.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { signInWithPassword } from '../../core/session/signInWithPassword.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createEip1193Connector } from '../../core/wallet/connectors/createEip1193Connector.ts'
import { signInWithWallet } from '../../core/wallet/signInWithWallet.ts'
import { useDocuments } from '../../hooks/documents/useDocuments.ts'
import { useLiveDocuments } from '../../hooks/documents/useLiveDocuments.ts'
import { useSaveDocument } from '../../hooks/documents/useSaveDocument.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { CountersignProvider } from '../CountersignProvider.tsx'
import { CountersignDevtools, type CountersignDevtoolsProps } from './CountersignDevtools.tsx'

configure({ asyncUtilTimeout: 60_000 })

let server: TestServer
beforeAll(async () => {
  server = await startServer({ rateLimit: [] })
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${server.origin}/`)
})
afterAll(() => server.remove())
beforeEach(() => window.localStorage.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const password = 'correct horse battery'

async function open(props: CountersignDevtoolsProps = { initiallyOpen: true }, page?: ReactNode) {
  const { appId, serverUrl } = server
  const wallet = createTestProvider()
  const connector = createEip1193Connector(
    { id: 'com.example.alpha', kind: 'injected', name: 'Alpha' },
    async () => wallet,
  )
  const client = createClient({ appId, serverUrl, session: 'storage', connectors: [connector], attemptLimit: 1 })
  const view = render(
    <StrictMode>
      <CountersignProvider client={client}>
        {page}
        <CountersignDevtools {...props} />
      </CountersignProvider>
    </StrictMode>,
  )
  const root = document.querySelector('[data-countersign-devtools]')?.shadowRoot
  if (!root) throw new Error('The devtools have no shadow root')
  const inside = within(root as unknown as HTMLElement)
  await act(() => initialize(client))
  const show = (name: RegExp) => fireEvent.click(inside.getByRole('tab', { name }))
  return { client, wallet, connector, root, inside, show, view }
}

test('session, its history, and requests with method, path, status, duration and request id', async () => {
  const { client, show, root } = await open()
  const username = `ada-${crypto.randomUUID().slice(0, 8)}`
  await act(() => signUp(client, { username, password }))
  await act(() => findDocuments(client, defineQuery('Game', { where: { score: { $gt: 5 } } })).catch(() => undefined))
  expect(root.textContent).toContain(`${username} (`)
  const history = [...root.querySelectorAll('.history li')].map((line) => line.textContent?.replace(/^[\d:.]+/, ''))
  expect(history).toEqual([`authenticated${username}`, 'authenticating', 'unauthenticated', 'undefined'])
  show(/Requests/)
  const lines = [...root.querySelectorAll('.requests li')].map((line) => line.textContent ?? '')
  expect(lines.find((line) => line.startsWith('POST/server/users'))).toMatch(
    /^POST\/server\/users201.* · \d+ ms · \S+$/,
  )
  // A query with conditions is sent as POST, and is shown as a query.
  expect(lines[0]).toMatch(/^GET\/server\/classes\/Game/)
})

test('no token, no password and no query is shown, or copied', async () => {
  const writeText = vi.fn(async (_: string) => undefined)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard)
  const { client, inside, show, root } = await open()
  const username = `ada-${crypto.randomUUID().slice(0, 8)}`
  await act(() => signUp(client, { username, password }))
  const token = String(client.internal.current?.credential.token)
  await act(() => signInWithPassword(client, { username, password: 'wrong-secret' }, { onError: () => undefined }))
  fireEvent.click(inside.getByRole('button', { name: 'Copy as text' }))
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(1))
  const report = String(writeText.mock.calls[0]?.[0])
  const shown: string[] = [report]
  for (const tab of [/Session/, /Wallet/, /Reads/, /Actions/, /Live/, /Requests/, /Errors/]) {
    show(tab)
    shown.push(root.innerHTML)
  }
  expect(token).toMatch(/^r:/)
  for (const text of shown) for (const secret of [password, 'wrong-secret', token]) expect(text).not.toContain(secret)
  expect(report).toMatch(/Requests\n {2}[\d:.]+ {2}\w+ {2}\/server\//)
  expect(report).toMatch(/Errors\n {2}[\d:.]+ {2}Invalid username\/password\.\n {4}Code: 101 ObjectNotFound/)
  expect(report).toContain('Live\n  State: idle')
})

test('the last error has its code, its sentence, its details and where it is explained', async () => {
  const { client, inside, show, root } = await open()
  await act(() => signInWithPassword(client, { username: 'nobody', password: 'x' }, { onError: () => undefined }))
  show(/Errors/)
  expect(inside.getByRole('heading', { level: 3 }).textContent).toMatch(/^Invalid username/)
  const facts = [...root.querySelectorAll('.errors dl > div')].map((line) => line.textContent)
  expect(facts).toContain('Code101 ObjectNotFound')
  expect(facts.join()).toMatch(/Explained inhttps:\S+errors\.md#invalidCredentials/)
  expect(root.querySelector('[aria-live=polite].hidden')?.textContent).toMatch(/^Error 101: Invalid/)
  // Reported by the request, the action and the session, and shown once.
  expect(root.querySelectorAll('.errors li')).toHaveLength(1)
})

test('the wallet is shown, and asked for its permissions by a click alone', async () => {
  const { client, wallet, connector, inside, show, root } = await open()
  const asked: string[] = []
  const request = wallet.request.bind(wallet)
  wallet.request = async (call) => {
    asked.push(call.method)
    if (call.method !== 'wallet_getPermissions') return request(call)
    return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: ['0xabc'] }] }]
  }
  await act(() => signInWithWallet(client, { connector }))
  show(/Wallet/)
  expect(root.textContent).toContain('Alpha (com.example.alpha, injected)')
  expect(asked).not.toContain('wallet_getPermissions')
  fireEvent.click(inside.getByRole('button', { name: 'Ask the wallet' }))
  await inside.findByText('eth_accounts: 0xabc')
})

test('keys: a button opens, arrows move among the tabs, Esc closes, and the focus goes along', async () => {
  const { inside, root } = await open({})
  const toggle = inside.getByRole('button', { name: /Countersign.*devtools, session unauthenticated/ })
  toggle.focus()
  fireEvent.click(toggle)
  expect(root.activeElement).toBe(inside.getByRole('heading', { level: 2 }))
  const first = inside.getByRole('tab', { name: 'Session' })
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  const second = inside.getByRole('tab', { name: 'Wallet' })
  expect([second.getAttribute('aria-selected'), first.tabIndex, second.tabIndex]).toEqual(['true', -1, 0])
  fireEvent.keyDown(second, { key: 'End' })
  expect(inside.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(
    inside.getByRole('tab', { name: 'Errors' }).id,
  )
  fireEvent.keyDown(second, { key: 'Escape' })
  expect(root.activeElement).toBe(inside.getByRole('button', { name: /Countersign/ }))
})

test('stops recording once they are unmounted', async () => {
  const { client, view } = await open()
  expect(client.internal.options.observedFetch).toBeDefined()
  view.unmount()
  expect(client.internal.options.observedFetch).toBeUndefined()
  expect(client.internal.watchError).toBeUndefined()
})

function Games() {
  const games = useDocuments('Game', { where: { title: 'secret title' }, order: ['-score'] })
  const live = useLiveDocuments('Game', { where: { title: 'secret title' } })
  const { create } = useSaveDocument('Game')
  return (
    <button type="button" onClick={() => create({ title: 'secret title', score: 1 }, { onError: () => undefined })}>
      {`${games.data?.length ?? 'no'} games, ${live.status}`}
    </button>
  )
}

test('reads with their state, actions with their outcome, live subscriptions; no value of a condition', async () => {
  const { client, show, root, view } = await open({ initiallyOpen: true }, <Games />)
  await act(() => signUp(client, { username: `ada-${crypto.randomUUID().slice(0, 8)}`, password }))
  const button = await view.findByRole('button', { name: /^0 games, success/ })
  fireEvent.click(button)
  await view.findByRole('button', { name: /^1 games/ })
  const lines = () => [...root.querySelectorAll('.requests li')].map((line) => line.textContent ?? '')
  show(/Reads/)
  await waitFor(() =>
    expect(lines()).toContainEqual(
      expect.stringMatching(/^\{"find":\{.*"where":\{"title":"…"\}\}\}success1 component · 1 row · \d+ s ago$/),
    ),
  )
  show(/Actions/)
  expect(lines()).toEqual([expect.stringMatching(/^saveDocumentsuccess[\d:.]+ · \d+ ms$/)])
  show(/Live/)
  await waitFor(() => expect(lines()).toEqual([expect.stringMatching(/^\{"className":"Game",.*open$/)]))
  expect(client.internal.readings.size, 'looking is no use of a reading').toBe(2)
  for (const { watchers } of client.internal.readings.values()) expect(watchers).toBe(1)
  for (const tab of [/Reads/, /Actions/, /Live/]) {
    show(tab)
    expect(root.innerHTML).not.toContain('secret title')
  }
  expect(writeReport(client, getRecorder(client).recording.get())).not.toContain('secret title')
  expect(writeReport(client, getRecorder(client).recording.get())).toMatch(
    /Actions\n {2}[\d:.]+ {2}saveDocument {2}success/,
  )
})

test('warns if hooks wait because the client was never initialized', async () => {
  const client = createClient({ appId: server.appId, serverUrl: server.serverUrl, session: 'storage' })
  const view = render(
    <CountersignProvider client={client}>
      <Games />
      <CountersignDevtools />
    </CountersignProvider>,
  )
  const root = document.querySelector('[data-countersign-devtools]')?.shadowRoot
  const inside = within(root as unknown as HTMLElement)
  fireEvent.click(inside.getByRole('button', { name: /The client is not initialized.*2 hooks wait/ }))
  expect(inside.getByRole('status').textContent).toMatch(/initializeOnMount/)
  await act(() => initialize(client))
  await view.findByRole('button', { name: /^\d games, / })
  await waitFor(() => expect(root?.querySelector('.warning')).toBeNull())
})
