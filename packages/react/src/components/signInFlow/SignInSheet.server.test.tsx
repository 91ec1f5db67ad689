// @vitest-environment happy-dom
import { createHmac } from 'node:crypto'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { StrictMode, useState } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { confirmTotp, startTotp } from '../../core/account/secondFactor.ts'
import { getUser } from '../../core/session/getUser.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import type { Connector } from '../../core/state/Connector.ts'
import { createEip1193Connector } from '../../core/wallet/connectors/createEip1193Connector.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { CountersignProvider } from '../CountersignProvider.tsx'
import { SignInButton } from './SignInButton.tsx'
import { SignInSheet, type SignInSheetProps } from './SignInSheet.tsx'

// A machine that is busy with other tests takes its time.
configure({ asyncUtilTimeout: 60_000 })

let server: TestServer
/** The page is the server's own, as far as wallets can see. */
const visit = ({ origin }: TestServer) =>
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${origin}/`)
beforeAll(async () => {
  server = await startServer({ rateLimit: [] })
  visit(server)
})
afterAll(() => server.remove())
beforeEach(() => window.localStorage.clear())
afterEach(cleanup)

const icon = 'data:image/svg+xml,%3Csvg/%3E'

function named(name: string, changes: Partial<Connector> = {}) {
  const wallet = createTestProvider()
  const info = { id: `com.example.${name.toLowerCase()}`, kind: 'injected', name, icon } as const
  return { wallet, connector: { ...createEip1193Connector(info, async () => wallet), ...changes } }
}

async function open(connectors: Connector[], props: Partial<SignInSheetProps> = {}) {
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, session: 'storage', connectors, attemptLimit: 1 })
  await initialize(client)
  function Page() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Enter
        </button>
        <SignInSheet {...props} open={isOpen} onClose={() => setOpen(false)} />
      </>
    )
  }
  render(
    <StrictMode>
      <CountersignProvider client={client}>
        <Page />
      </CountersignProvider>
    </StrictMode>,
  )
  const opener = screen.getByRole('button', { name: 'Enter' })
  opener.focus()
  act(() => opener.click())
  const sheet = () => screen.queryByRole('dialog')
  return { client, opener, sheet }
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const heading = () => screen.getByRole('heading')
const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
const focused = () => document.activeElement?.textContent

describe('sign-in methods', () => {
  test('the sheet is a dialog with a name, and its heading has the focus', async () => {
    const { sheet } = await open([named('Alpha').connector])
    expect(sheet()?.getAttribute('aria-labelledby')).toBe(heading().id)
    expect(heading().textContent).toBe('Sign in')
    expect(document.activeElement).toBe(heading())
  })

  test('arrows, Home, End and first letters move among the sign-in methods', async () => {
    await open(['Alpha', 'Beta', 'Gamma'].map((name) => named(name).connector))
    key('ArrowDown')
    expect(focused()).toContain('Alpha')
    key('ArrowDown')
    expect(focused()).toContain('Beta')
    key('g')
    expect(focused()).toContain('Gamma')
    key('End')
    expect(focused()).toContain('Password')
    key('ArrowDown')
    expect(focused()).toContain('Alpha')
    key('ArrowUp')
    expect(focused()).toContain('Password')
    key('Home')
    expect(focused()).toContain('Alpha')
  })

  test('S24: an icon is an image of data: and nothing else', async () => {
    await open([
      named('Alpha').connector,
      named('Beta', { icon: 'https://evil.example/pixel.png' }).connector,
      named('Gamma', { icon: 'javascript:alert(1)' }).connector,
    ])
    expect([...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([icon])
  })

  test('no wallet: shown after 400 ms, and removed when one is announced', async () => {
    const { client } = await open([])
    expect(screen.queryByText('No wallet found in this browser.')).toBeNull()
    await screen.findByText('No wallet found in this browser.')
    const { connector } = named('Late')
    act(() => client.internal.connectors.set([connector]))
    expect(screen.queryByText('No wallet found in this browser.')).toBeNull()
    expect(screen.getByRole('button', { name: /Late/ })).toBeTruthy()
  })

  test('the demo wallet is clearly labelled', async () => {
    await open([named('Demo', { kind: 'demo' }).connector])
    expect(screen.getByRole('button', { name: /Demo wallet/ }).textContent).toContain('temporary key in this browser')
  })

  test('words can be given, and a session that ended elsewhere is shown', async () => {
    await open([named('Alpha').connector], { ended: true, words: { signIn: 'Anmelden' } })
    expect(heading().textContent).toBe('Anmelden')
    expect(screen.getByText(/signed out from another device/)).toBeTruthy()
  })
})

describe('the wallet’s step', () => {
  test('one click picks and starts; done closes the sheet, and the focus goes back', async () => {
    const onDone = vi.fn()
    const { wallet, connector } = named('Alpha')
    const { opener, sheet } = await open([connector], { onDone })
    press(/Alpha/)
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
    expect(onDone.mock.calls[0]?.[0]).toMatchObject({ ethAddress: wallet.addresses[0]?.toLowerCase() })
    expect(onDone.mock.calls[0]?.[1]).toEqual({ isNew: true, linked: false })
    await waitFor(() => expect(sheet()).toBeNull())
    expect(document.activeElement).toBe(opener)
    act(() => opener.click())
    expect(screen.getAllByRole('button', { name: /Alpha/ })[0]?.textContent).toContain('Recent')
  })

  test('the exact message can be read while the wallet asks; Esc cancels, and closes the second time', async () => {
    const { wallet, connector } = named('Alpha')
    wallet.onSign = () => new Promise(() => undefined)
    const { opener, sheet } = await open([connector])
    press(/Alpha/)
    await screen.findByText('Sign the message in Alpha.')
    expect(heading().textContent).toBe('Sign in with Alpha')
    await waitFor(() => expect(document.querySelector('pre')?.textContent).toBe(wallet.signed[0]))
    const steps = within(screen.getByRole('list')).getAllByRole('listitem')
    expect(steps.map((step) => step.textContent)).toEqual(['Connect: done', 'Sign: in progress', 'Done: not started'])
    expect(document.querySelector('[aria-live=polite]')?.textContent).toMatch(
      /^Sign the message in Alpha\. Signing is free/,
    )
    const cancel = () => act(() => sheet()?.dispatchEvent(new Event('cancel', { cancelable: true })))
    cancel()
    expect(heading().textContent).toBe('Sign in')
    cancel()
    expect(sheet()).toBeNull()
    expect(document.activeElement).toBe(opener)
  })

  test('a refusal is calm, and offers what can be done', async () => {
    const { wallet, connector } = named('Alpha')
    wallet.onSign = () => {
      throw { code: 4001, message: 'User rejected the request.' }
    }
    await open([connector])
    press(/Alpha/)
    await screen.findByText('Connected, not signed in.')
    expect(screen.getByRole('alert').textContent).toBe('')
    for (const name of ['Sign in', 'Use another account', 'Not now']) screen.getByRole('button', { name })
    wallet.onSign = undefined
    press('Sign in')
    await screen.findByText('Signed in.', { selector: '.cs-lead' })
  })

  test('an error interrupts a screen reader and is shown as text', async () => {
    const { connector } = named('Alpha', {
      connect: () => Promise.reject(Object.assign(new Error('The wallet is broken.'), { code: -32603 })),
    })
    await open([connector])
    press(/Alpha/)
    await screen.findByText('Something went wrong.')
    expect(screen.getByRole('alert').textContent).toBe('Something went wrong. The wallet is broken.')
    press('Other options')
    expect(heading().textContent).toBe('Sign in')
  })

  test('the phone: a code drawn here, and its link to copy', async () => {
    const uri = 'wc:7f6e504bfad60b485450578e05678ed3@2?relay-protocol=irn&symKey=587d5484'
    const { connector } = named('WalletConnect', {
      kind: 'walletconnect',
      connect: ({ onUri }) => {
        onUri?.(uri)
        return new Promise(() => undefined)
      },
    })
    await open([connector])
    press(/Phone/)
    const code = await screen.findByRole('img', { name: 'QR code for your wallet app' })
    await waitFor(() => expect(code.querySelector('path')?.getAttribute('d')?.length).toBeGreaterThan(1000))
    expect(code.getAttribute('viewBox')).toMatch(/^0 0 (\d+) \1$/)
    screen.getByRole('button', { name: 'Copy link' })
  })
})

test('a sign-in that needs a second factor leads to the second step, by password and by wallet', {
  timeout: 120_000,
}, async () => {
  const strict = await startServer({ rateLimit: [], secondFactor: { required: 'everyone' } })
  try {
    visit(strict)
    const onSecondFactor = vi.fn()
    const { appId, serverUrl } = strict
    const { connector } = named('Alpha')
    const client = createClient({ appId, serverUrl, session: 'storage', connectors: [connector], attemptLimit: 1 })
    await initialize(client)
    await strict.asMaster('POST', '/users', { username: 'two', password: 'correct horse battery' })
    render(
      <CountersignProvider client={client}>
        <SignInSheet open onClose={() => {}} onSecondFactor={onSecondFactor} />
      </CountersignProvider>,
    )
    press(/^Password/)
    fireEvent.change(screen.getByLabelText('Username or email'), { target: { value: 'two' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse battery' } })
    press('Sign in')
    const step = { ticket: expect.any(String), totp: false, passkey: false, setUp: true }
    await waitFor(() => expect(onSecondFactor.mock.calls).toEqual([[step]]))
    press(/Alpha/)
    await waitFor(() => expect(onSecondFactor.mock.calls).toEqual([[step], [step]]))
  } finally {
    visit(server)
    await strict.remove()
  }
})

describe('SEC-34: a mailed code for an account with a second factor', () => {
  let mailing: TestServer
  beforeAll(async () => {
    mailing = await startServer({ rateLimit: [], emailCode: { enabled: true } })
    visit(mailing)
  })
  afterAll(async () => {
    visit(server)
    await mailing.remove()
  })
  const connect = async () => {
    const { appId, serverUrl } = mailing
    const client = createClient({ appId, serverUrl, session: 'storage', attemptLimit: 1 })
    await initialize(client)
    return client
  }

  /** An account with an authenticator app, whose holder has not shown to read the mail of its address. */
  async function createGuarded(username: string) {
    const client = await connect()
    const email = `${username}@example.org`
    await signUp(client, { username, password: 'correct horse battery', email })
    const { secret } = await startTotp(client, {})
    await confirmTotp(client, { code: currentCode(secret) })
    window.localStorage.clear()
    return { email, objectId: getUser(client)?.objectId }
  }

  async function readCode(address: string): Promise<string> {
    return vi.waitFor(
      async () => {
        const { results } = (await mailing.asMaster('GET', '/outbox')) as { results: { to: string; text: string }[] }
        const codes = results.flatMap(({ to, text }) => (to === address ? (/^\d{6}$/m.exec(text) ?? []) : []))
        expect(codes).toHaveLength(1)
        return codes[0] ?? ''
      },
      { timeout: 60_000 },
    )
  }

  async function enterCode(email: string, props: Partial<SignInSheetProps>) {
    const client = await connect()
    render(
      <StrictMode>
        <CountersignProvider client={client}>
          <SignInSheet open onClose={() => {}} {...props} />
        </CountersignProvider>
      </StrictMode>,
    )
    fireEvent.click(await screen.findByRole('button', { name: /Email me a code/ }))
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: email } })
    press('Send code')
    fireEvent.change(await screen.findByLabelText('Code'), { target: { value: await readCode(email) } })
    expect(screen.queryByRole('button', { name: makeNew })).toBeNull()
    press('Sign in')
    await screen.findByRole('button', { name: makeNew })
    return client
  }

  const makeNew = 'Create a new account with this email address'

  test('offers a new account with the address; the old one keeps its factor', { timeout: 120_000 }, async () => {
    const { email, objectId } = await createGuarded('ada')
    const onDone = vi.fn()
    const onSecondFactor = vi.fn()
    await enterCode(email, { onDone, onSecondFactor })
    expect(onSecondFactor).not.toHaveBeenCalled()
    expect(document.querySelector('.cs-notice[role=alert]')?.textContent).toBe('This account asks for a second factor.')
    const hint = 'Not your account, or no access to it?'
    expect(document.querySelector('[aria-live=polite]')?.textContent).toContain(hint)
    const button = screen.getByRole('button', { name: makeNew })
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toContain(hint)
    button.focus()
    fireEvent.click(button)
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
    expect(document.activeElement).toBe(button)
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
    const [user, outcome] = onDone.mock.calls[0] ?? []
    expect([user.email, outcome.isNew]).toEqual([email, true])
    expect(user.objectId).not.toBe(objectId)
    const old = await mailing.asMaster('GET', `/users/${objectId}`)
    expect([old.username, old.email ?? null]).toEqual(['ada', null])
  })

  test('leads to the second factor if the person has it', { timeout: 120_000 }, async () => {
    const { email, objectId } = await createGuarded('grace')
    const onSecondFactor = vi.fn()
    const client = await enterCode(email, { onSecondFactor })
    press('Use the second factor')
    expect(onSecondFactor.mock.calls).toEqual([
      [{ ticket: expect.any(String), totp: true, passkey: false, setUp: false }],
    ])
    expect(heading().textContent).toBe('Sign in')
    expect(getUser(client)).toBeUndefined()
    expect(await mailing.asMaster('GET', `/users/${objectId}`)).toMatchObject({ email })
  })

  test('offers no second factor where the page has no step for it', { timeout: 120_000 }, async () => {
    const { email } = await createGuarded('mary')
    await enterCode(email, {})
    expect(screen.queryByRole('button', { name: 'Use the second factor' })).toBeNull()
  })
})

/** Code of an authenticator app (RFC 6238). */
function currentCode(secret: string): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  )
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

test('the server’s order holds in the sheet, and where wallets are off nothing is said of them', {
  timeout: 120_000,
}, async () => {
  const ordered = await startServer({ rateLimit: [], signIn: { methods: ['password', 'wallet'] } })
  const without = await startServer({ rateLimit: [], signIn: { methods: ['password'] } })
  const show = async ({ appId, serverUrl }: TestServer, connectors: Connector[]) => {
    const client = createClient({ appId, serverUrl, session: 'storage', connectors, attemptLimit: 1 })
    await initialize(client)
    render(
      <CountersignProvider client={client}>
        <SignInSheet open onClose={() => {}} />
      </CountersignProvider>,
    )
    return () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  }
  try {
    visit(ordered)
    const list = await show(ordered, [named('Alpha').connector])
    await waitFor(() => expect(list()).toEqual([expect.stringContaining('Password'), expect.stringContaining('Alpha')]))
    expect(screen.getByText(/Your wallet creates your account/)).toBeTruthy()
    cleanup()
    visit(without)
    const fewer = await show(without, [named('Alpha').connector])
    await waitFor(() => expect(fewer()).toEqual([expect.stringContaining('Password')]))
    expect(screen.queryByText(/wallet/i)).toBeNull()
  } finally {
    visit(server)
    await Promise.all([ordered.remove(), without.remove()])
  }
})

describe('password', () => {
  test('shows missing input at its field; a wrong password is an alert', async () => {
    await open([])
    press(/^Password/)
    const name = screen.getByLabelText('Username or email')
    press('Sign in')
    expect(document.activeElement).toBe(name)
    expect(name.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
      /^Enter your user/,
    )
    fireEvent.change(name, { target: { value: 'nobody' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'wrong' } })
    press('Sign in')
    await screen.findByText('Incorrect username or password.')
  })
})

test('the button is there for visitors only, and opens the sheet', async () => {
  const { appId, serverUrl } = server
  const { connector } = named('Alpha')
  const client = createClient({ appId, serverUrl, session: 'storage', connectors: [connector] })
  const onDone = vi.fn()
  render(
    <CountersignProvider client={client}>
      <SignInButton onDone={onDone} />
    </CountersignProvider>,
  )
  expect(screen.queryByRole('button')).toBeNull()
  await act(() => initialize(client))
  press('Sign in')
  fireEvent.click(await screen.findByRole('button', { name: /Alpha/ }))
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
})
