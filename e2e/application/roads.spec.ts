import { readFile } from 'node:fs/promises'
import { addTestWallet } from '@countersign/react/testing'
import type { Locator, Page } from '@playwright/test'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { expect, serveBy } from '../lib/test.ts'
import { walletTest as test } from '../lib/walletTest.ts'

const ether = 10n ** 18n
let chain: Awaited<ReturnType<typeof startChain>>

serveBy(async () => {
  chain = await startChain()
  const { chainId: id, url } = chain
  const chains = [{ id, name: 'local', rpcUrls: [url], headCacheTtl: 0, index: { mode: 'all', startBlock: 0 } }]
  const server = await startServer({ usePublicNodes: false, chains })
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

// The most common tasks are at most two presses away from the overview, on a phone as well.

/** Presses what is named, one after the other, beginning at the overview; more than two fail the test. */
async function press(page: Page, ...ways: ((page: Page) => Locator)[]) {
  expect(ways.length).toBeLessThanOrEqual(2)
  await page.goto('/')
  for (const way of ways) await way(page).click()
}

const link = (name: string) => (page: Page) => page.getByRole('main').getByRole('link', { name })
const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true })

test('send: what, how much and to whom', { tag: '@both' }, async ({ page, context }) => {
  const { chainId, url: rpcUrl } = chain
  const rich = await addTestWallet(context, { name: 'Rich Wallet', rdns: 'org.example.rich', chainId, rpcUrl })
  await chain.give(rich.addresses[0] ?? '', ether)
  await signInByWallet(page, 'Rich Wallet')
  await press(page, link('Send'))
  const form = page.getByRole('form', { name: 'Send' })
  await expect(form.getByLabel('Asset')).toContainText(/ETH.*1/)
  await expect(form.getByLabel('Recipient')).toBeEditable()
  await expect(form.getByLabel('Amount')).toBeEditable()
})

test('receive: an address to be paid at', { tag: ['@both', '@main'] }, async ({ page, wallet }) => {
  await signInByWallet(page)
  await press(page, button('Receive'))
  const dialog = page.getByRole('dialog', { name: 'Receive' })
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(dialog).toContainText(wallet.addresses[0] ?? 'none')
})

test('add a passkey', { tag: '@both' }, async ({ page }) => {
  await addAuthenticator(page)
  await enter(page, newName())
  await press(page, button('Add a passkey'), (here) =>
    here.getByRole('dialog').getByRole('button', { name: 'Continue' }),
  )
  await expect(page.getByText(/^Passkey “.*” added/)).toBeVisible()
  // A step that is done is not shown again.
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Security' })).toContainText('1 passkey')
})

test('sign out another device', { tag: '@both' }, async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const { sessionToken } = await api.logIn({ username, password }, 'Mozilla/5.0 (X11; Linux) Firefox/143.0')
  await press(page, link('Manage sessions'), button('Sign out Firefox on Linux'))
  await expect(page.getByText('Signed out: Firefox on Linux.')).toBeVisible()
  expect(await api.me(sessionToken)).toMatchObject({ code: 209 })
})

test('shows the signed message', { tag: ['@both', '@main'] }, async ({ page, wallet }) => {
  await signInByWallet(page)
  await press(page, link('Manage sessions'), button(/^Details/))
  await expect(page.getByRole('region', { name: 'Signed message' })).toContainText(wallet.signed()[0] ?? 'nothing')
})

test('export my data', { tag: ['@both', '@main'] }, async ({ page }) => {
  const username = newName()
  await enter(page, username)
  const saving = page.waitForEvent('download')
  await press(page, link('Edit profile'), button('Save as file'))
  expect(JSON.parse(await readFile(await (await saving).path(), 'utf8'))).toMatchObject({ user: { username } })
})

test('the overview shows who is signed in and which steps are open, and hides the steps when asked to', {
  tag: ['@both', '@main'],
}, async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  await api.logIn({ username, password }, 'Mozilla/5.0 (X11; Linux) Firefox/143.0')
  await page.goto('/')
  const sessions = page.getByRole('region', { name: '2 active sessions' })
  await expect(sessions).toContainText('This device')
  await expect(sessions).toContainText(/Last sign-in just now: Signed in with password, Firefox on Linux/)
  await expect(page.getByRole('region', { name: 'Security' })).toContainText('Needs attention')
  const steps = page.getByRole('region', { name: 'Finish setting up' })
  await expect(steps.getByRole('listitem').first()).toContainText('Passkey')
  await steps.getByRole('button', { name: 'Dismiss' }).click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(sessions).toBeVisible()
  await expect(steps).toHaveCount(0)
  // The next step is still shown in the security card.
  await expect(page.getByRole('region', { name: 'Security' })).toContainText(/fingerprint/i)
})

test('a phone has five places, and the right one is marked on every screen', { tag: '@both' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, newName())
  const bar = page.getByRole('navigation', { name: 'Account' })
  const places = {
    '/': 'Overview',
    '/account/portfolio': 'Portfolio',
    '/account/wallets': 'Wallets',
    '/account/security': 'Security',
  }
  for (const [path, name] of Object.entries(places)) {
    await page.goto(path)
    await expect(bar.getByRole('link')).toHaveCount(4)
    await expect(bar.locator('[aria-current="page"]')).toHaveText(name)
  }
  for (const name of ['Sessions', 'Activity', 'Profile', 'Explorer']) {
    await bar.getByRole('button', { name: 'More' }).click()
    await bar.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(bar.getByRole('link', { name })).toBeHidden()
    await expect(bar.getByRole('button', { name: 'More' })).toHaveAttribute('aria-current', 'page')
  }
})
