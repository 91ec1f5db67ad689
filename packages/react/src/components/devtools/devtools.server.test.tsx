// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { authenticate } from '../../core/actions/authenticate.ts'
import { initialize } from '../../core/actions/initialize.ts'
import { logIn } from '../../core/actions/logIn.ts'
import { signUp } from '../../core/actions/signUp.ts'
import { createClient } from '../../core/createClient.ts'
import { find } from '../../core/documents/find.ts'
import { query } from '../../core/documents/query.ts'
import { createEip1193Connector } from '../../core/wallet/createEip1193Connector.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { CountersignProvider } from '../CountersignProvider.tsx'
import { CountersignDevtools, type CountersignDevtoolsProps } from './CountersignDevtools.tsx'

configure({ asyncUtilTimeout: 10_000 })

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

async function open(props: CountersignDevtoolsProps = { initiallyOpen: true }) {
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
  await act(() => find(client, query('Game', { where: { score: { $gt: 5 } } }), { onError: () => undefined }))
  expect(root.textContent).toContain(`${username} (`)
  const history = [...root.querySelectorAll('.history li')].map((line) => line.textContent?.replace(/^[\d:.]+/, ''))
  expect(history).toEqual([`authenticated${username}`, 'authenticating', 'unauthenticated', 'undefined'])
  show(/Requests/)
  const lines = [...root.querySelectorAll('.requests li')].map((line) => line.textContent ?? '')
  expect(lines.find((line) => line.startsWith('POST/server/users'))).toMatch(
    /^POST\/server\/users201.* · \d+ ms · \S+$/,
  )
  // A question with conditions travels as POST, and is told as what it is.
  expect(lines[0]).toMatch(/^GET\/server\/classes\/Game/)
})

test('no token, no password and no query is shown, or copied', async () => {
  const writeText = vi.fn(async (_: string) => undefined)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard)
  const { client, inside, show, root } = await open()
  const username = `ada-${crypto.randomUUID().slice(0, 8)}`
  await act(() => signUp(client, { username, password }))
  const token = String(client.internal.current?.credential.token)
  await act(() => logIn(client, { username, password: 'wrong-secret' }, { onError: () => undefined }))
  fireEvent.click(inside.getByRole('button', { name: 'Copy as text' }))
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(1))
  const report = String(writeText.mock.calls[0]?.[0])
  const shown: string[] = [report]
  for (const tab of [/Session/, /Wallet/, /Live/, /Requests/, /Errors/]) {
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
  await act(() => logIn(client, { username: 'nobody', password: 'x' }, { onError: () => undefined }))
  show(/Errors/)
  expect(inside.getByRole('heading', { level: 3 }).textContent).toMatch(/^Invalid username/)
  const facts = [...root.querySelectorAll('.errors dl > div')].map((line) => line.textContent)
  expect(facts).toContain('Code101 ObjectNotFound')
  expect(facts).toContain('Explained indocs/errors.md#invalidCredentials')
  expect(root.querySelector('[aria-live=polite].hidden')?.textContent).toMatch(/^Error 101: Invalid/)
  // Told of by the request, the action and the session, and shown once.
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
  await act(() => authenticate(client, { connector }))
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

test('nobody looks on any more once they are gone', async () => {
  const { client, view } = await open()
  expect(client.internal.options.observedFetch).toBeDefined()
  view.unmount()
  expect(client.internal.options.observedFetch).toBeUndefined()
  expect(client.internal.watchError).toBeUndefined()
})
