import type { Page } from '@playwright/test'
import { expect, appTest as test } from '../lib/appTest.ts'
import { type Counterpart, startCounterpart } from '../lib/servers/startCounterpart.ts'

let counterpart: Counterpart
let address = ''
test.beforeAll(async () => {
  counterpart = await startCounterpart()
  address = (await counterpart.act<string[]>('addresses'))[0]?.toLowerCase() ?? ''
})
test.afterAll(() => counterpart.stop())

test.beforeEach(async ({ strangers }) => {
  await counterpart.act('decide', { proposal: 'approve', signature: 'approve' })
  await counterpart.act('selectAccount', 0)
  // WalletConnect's SDK has its own server attest the page on every request.
  strangers.answers.set('verify.walletconnect.org', async (route) => {
    const id = new URL(route.request().url()).searchParams.get('id')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const attestation = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ id })}.${encode({})}`
    const body = `<script>parent.postMessage(${JSON.stringify(JSON.stringify({ type: 'verify_attestation', attestation }))}, '*')</script>`
    await route.fulfill({ contentType: 'text/html', body })
  })
})

const text = (page: Page, id: string) => page.locator(`#${id}`)
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function pair(page: Page) {
  await expect(text(page, 'uri')).toHaveText(/^wc:/)
  await counterpart.act('pair', await text(page, 'uri').textContent())
}

test('R13: pair by QR text, sign in, reload without a prompt, events, the remote end', async ({ page, open }) => {
  await open(page, 'walletconnect', { relayUrl: counterpart.relayUrl })
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  expect(await counterpart.act('countLines'), 'nobody is called before a click').toBe(0)
  await click(page, 'Sign in')
  await pair(page)
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'user')).toHaveText(address)
  expect((await counterpart.act<string[]>('signed')).at(-1)).toContain(
    'wants you to sign in with your Ethereum account',
  )

  await page.reload()
  await expect(text(page, 'wallet')).toHaveText('connected')
  await expect(text(page, 'session')).toHaveText('authenticated')

  await counterpart.act('selectChain', 137)
  await expect(text(page, 'chain')).toHaveText('137')
  await counterpart.act('selectAccount', 1)
  await expect(text(page, 'account')).not.toHaveText(new RegExp(address, 'i'))
  await expect(text(page, 'session')).toHaveText('authenticated')

  await counterpart.act('leave')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  await expect(text(page, 'session')).toHaveText('authenticated')
})

test('a refusal on the other device is a refusal here, of the connection and of the signature', async ({
  page,
  open,
}) => {
  await open(page, 'walletconnect', { relayUrl: counterpart.relayUrl })
  await counterpart.act('decide', { proposal: 'reject' })
  await click(page, 'Connect')
  await pair(page)
  await expect(text(page, 'error')).toHaveText(/reject.*\(4001\)/i)
  await expect(text(page, 'wallet')).toHaveText('disconnected')

  await counterpart.act('decide', { proposal: 'approve', signature: 'reject' })
  await click(page, 'Sign in')
  await pair(page)
  await expect(text(page, 'error')).toHaveText(/reject.*\(4001\)/i)
  await expect(text(page, 'session')).toHaveText('error')
  await expect(text(page, 'wallet')).toHaveText('connected')

  await counterpart.act('decide', { signature: 'approve' })
  await click(page, 'Sign in')
  await expect(text(page, 'session')).toHaveText('authenticated')
  await click(page, 'Disconnect')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  await expect.poll(() => counterpart.act('countSessions'), 'the wallet is notified').toBe(0)
  await page.reload()
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
})

test('scanning the code of a canceled attempt does not connect the page', async ({ page, open }) => {
  await open(page, 'walletconnect', { relayUrl: counterpart.relayUrl })
  await click(page, 'Connect')
  await expect(text(page, 'uri')).toHaveText(/^wc:/)
  const stale = await text(page, 'uri').textContent()
  await click(page, 'Cancel')
  const proposals = await counterpart.act<number>('countProposals')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  await counterpart.act('pair', stale).catch(() => {})
  await expect.poll(() => counterpart.act('countProposals')).toBe(proposals + 1)
  await page.waitForTimeout(1000)
  await click(page, 'Look')
  await expect(text(page, 'found')).toHaveText('false')

  await click(page, 'Connect')
  await expect(text(page, 'uri')).toHaveText(/^wc:/)
  expect(await text(page, 'uri').textContent()).not.toBe(stale)
  await expect(text(page, 'wallet')).toHaveText('connecting')
  await pair(page)
  await expect(text(page, 'wallet')).toHaveText('connected')
  await click(page, 'Disconnect')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
})

test('a relay that drops every line, and is away for a while, is found again', async ({ page, open }) => {
  await open(page, 'walletconnect', { relayUrl: counterpart.relayUrl })
  await click(page, 'Connect')
  await pair(page)
  await expect(text(page, 'wallet')).toHaveText('connected')
  await counterpart.act('dropRelay', { closed: true })
  await expect(text(page, 'wallet')).toHaveText('connected')
  await counterpart.act('openRelay')
  await click(page, 'Sign in')
  await expect(text(page, 'session')).toHaveText('authenticated', { timeout: 30_000 })
  await counterpart.act('leave')
  await expect(text(page, 'wallet')).toHaveText('disconnected', { timeout: 30_000 })
})
