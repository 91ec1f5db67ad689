import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { choose } from '../lib/steps/choose.ts'
import { enter } from '../lib/steps/enter.ts'
import { goTo } from '../lib/steps/goTo.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serve } from '../lib/test.ts'
import { walletTest as test } from '../lib/walletTest.ts'

serve()

const rows = (page: Page) => page.getByRole('region', { name: /wallets?$/ }).getByRole('listitem')
const shorten = (address = '') => `${address.slice(0, 6)}…${address.slice(-4)}`
const row = (page: Page, address = '') => rows(page).filter({ hasText: shorten(address) })
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Your wallet is using' })
const toast = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text)

async function openWallets(page: Page) {
  await page.goto('/account/wallets')
  await expect(page.getByRole('heading', { name: 'Wallets', level: 1 })).toBeVisible()
}

/** Links a wallet from the Wallets screen; its owner says yes. */
async function link(page: Page, name: string) {
  await page.getByRole('button', { name: 'Link a wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

test('link, rename, make primary, unlink and undo', { tag: ['@both', '@main'] }, async ({
  page,
  context,
  wallet,
  watch,
}) => {
  const second = await addTestWallet(context, { name: 'Second', rdns: 'org.example.second' })
  const [address] = wallet.addresses
  const [other] = second.addresses
  await signInByWallet(page)
  await openWallets(page)
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, address)).toContainText('Primary')
  await expect(row(page, address)).toContainText('All EVM chains')
  await row(page, address)
    .getByRole('button', { name: /^Details/ })
    .click()
  await expect(row(page, address)).toContainText(address ?? 'none')
  await expect(row(page, address)).toContainText('This is your only sign-in method')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Unlink' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await link(page, 'Second')
  await expect(toast(page, 'Wallet linked to your account.')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await expect(banner(page)).toHaveCount(0)
  expect(second.signed()[0]).toContain('Link this wallet')

  await choose(page, shorten(other), 'Rename')
  const naming = page.getByRole('dialog', { name: 'Rename wallet' })
  await naming.getByRole('textbox').fill('Savings')
  await page.keyboard.press('Enter')
  await expect(naming).toBeHidden()
  await expect(row(page, other).getByRole('heading', { name: 'Savings' })).toBeVisible()
  const actions = page.getByRole('button', { name: 'Actions for Savings' })
  await expect(actions).toBeFocused()
  await choose(page, 'Savings', 'Make primary')
  // Held by the pointer, so that it stays until it is pressed.
  await toast(page, 'Savings is now your primary wallet.').hover()
  await expect(row(page, other)).toContainText('Primary')
  await expect(row(page, address)).not.toContainText('Primary')
  await expect(actions).toBeFocused()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, address)).toContainText('Primary')
  await expect(row(page, other)).not.toContainText('Primary')

  await choose(page, 'Savings', 'Unlink')
  await toast(page, 'Savings unlinked.').hover()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await expect(toast(page, 'Savings restored.')).toBeVisible()
  await expect(row(page, other)).toContainText('Savings')

  // The way back is on the page itself too, also after a reload.
  await choose(page, 'Savings', 'Unlink')
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await page.getByRole('region', { name: 'Recent changes you can undo' }).getByRole('button', { name: /^Undo/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Recent changes you can undo' })).toHaveCount(0)
  expect(watch.refusals).toEqual([])
})

test('verify again: that wallet signs, and no other of the account passes for it', { tag: '@both' }, async ({
  page,
  context,
  wallet,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [first = '', second = ''] = wallet.addresses
  await signInByWallet(page)
  await openWallets(page)
  await row(page, first)
    .getByRole('button', { name: /^Details/ })
    .click()
  await row(page, first).getByRole('button', { name: 'Copy address' }).last().click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  await wallet.switchAccount(1)
  await banner(page).getByRole('button', { name: /^Link/ }).click()
  await expect(rows(page)).toHaveCount(2)
  const signed = wallet.signed().length

  await choose(page, shorten(first), 'Verify again')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await expect(dialog.getByText(`Your wallet is using ${second.slice(0, 6)}`)).toBeVisible()
  expect(wallet.signed()).toHaveLength(signed)

  await wallet.switchAccount(0)
  wallet.rejectNext()
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await expect(dialog.getByText('Nothing was signed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await expect(toast(page, /verified\.$/)).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(wallet.signed().at(-1)).toContain(first)
  await page.goto('/account/activity?kind=confirmations')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(first.slice(0, 6))
})

test('a taken wallet: sign in there instead', async ({ page, context, watch }) => {
  const shared = await addTestWallet(context, { name: 'Shared', rdns: 'org.example.shared' })
  const owner = await signInByWallet(page, 'Shared')
  await signOut(page)
  await signInByWallet(page)
  await openWallets(page)
  await link(page, 'Shared')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('This wallet belongs to another account.', { exact: true })).toBeVisible()
  await sheet.getByRole('button', { name: 'Sign in to that account' }).click()
  await expect(toast(page, `Signed in as ${owner}.`)).toBeVisible()
  await expect(page.getByRole('banner')).toContainText(owner)
  await expect(row(page, shared.addresses[0])).toBeVisible()
  expect(watch.refusals).toHaveLength(1)
})

test('a taken wallet: merge with a preview, and undo it', async ({ page, context, wallet }) => {
  const shared = await addTestWallet(context, { name: 'Shared', rdns: 'org.example.shared' })
  const other = await signInByWallet(page, 'Shared')
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Name', { exact: true }).fill('city')
  await page.getByLabel('Value').fill('London')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await signOut(page)
  const username = await signInByWallet(page)
  await openWallets(page)
  await link(page, 'Shared')
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Merge accounts…' }).click()
  await expect(sheet.getByText('Merge these accounts?', { exact: true })).toBeVisible()
  await expect(sheet.locator('.cs-text')).toContainText(`Moves 1 wallet from ${other} to ${username}.`)
  await expect(sheet.getByRole('listitem').filter({ hasText: 'Added to your account: city.' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Merge accounts', exact: true }).click()
  await expect(toast(page, `${other} was merged into your account.`)).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('banner')).toContainText(username)
  expect(shared.signed().at(-1)).toContain('Merge')
  expect(wallet.signed()).toHaveLength(1)

  await page.getByRole('region', { name: 'Recent changes you can undo' }).getByRole('button', { name: /^Undo/ }).click()
  await expect(toast(page, `Merge undone. ${other} is a separate account again.`)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await signOut(page)
  expect(await signInByWallet(page, 'Shared')).toBe(other)
})

test('S22: a switch to a linked account changes nothing; to a foreign one, the banner asks', async ({
  page,
  wallet,
}) => {
  const [first = '', second = ''] = wallet.addresses
  const username = await signInByWallet(page)
  await wallet.switchAccount(1)
  await expect(banner(page)).toContainText(second.slice(0, 6))
  await expect(page.getByRole('banner')).toContainText(username)
  const prompts = wallet.prompts().length

  await banner(page)
    .getByRole('button', { name: /^Continue/ })
    .click()
  await expect(banner(page)).toHaveCount(0)
  await wallet.switchAccount(0)
  await wallet.switchAccount(1)
  await expect(banner(page)).toBeVisible()
  expect(wallet.prompts()).toHaveLength(prompts)

  await banner(page).getByRole('button', { name: /^Link/ }).click()
  await expect(toast(page, 'Wallet linked to your account.')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  await openWallets(page)
  await expect(row(page, second)).toContainText('Connected')

  // Linked now: no prompt, no sign-out.
  await wallet.switchAccount(0)
  await expect(row(page, first)).toContainText('Connected')
  await expect(banner(page)).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText(username)
})

test('S22: Switch signs in as the wallet’s account, which does not see the other’s drafts', async ({
  page,
  wallet,
}) => {
  const username = await signInByWallet(page)
  await goTo(page, 'Profile')
  await page.getByRole('button', { name: 'Add field' }).click()
  await expect(page.getByText('You have unsaved changes.')).toBeVisible()
  await wallet.switchAccount(1)
  await banner(page)
    .getByRole('button', { name: /^Switch to/ })
    .click()
  await expect(toast(page, /^Welcome! You’re signed in as/)).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('banner')).not.toContainText(username)
  await expect(page.getByText('You have unsaved changes.')).toBeHidden()
  await expect(banner(page)).toHaveCount(0)
})

test('a change of chain keeps the session, asks nothing and shows nothing', async ({ page, wallet }) => {
  const username = await signInByWallet(page)
  await openWallets(page)
  await expect(rows(page)).toContainText(['Connected'])
  wallet.clear()
  await wallet.switchChain(137)
  await wallet.loseChain()
  await expect(rows(page)).toContainText(['Connected'])
  await expect(page.getByRole('banner')).toContainText(username)
  await expect(banner(page)).toHaveCount(0)
  expect(wallet.prompts()).toEqual([])
})

test('disconnecting, here or in the wallet, does not sign out', async ({ page, wallet }) => {
  const username = await signInByWallet(page)
  await openWallets(page)
  await choose(page, /^Actions for/, 'Disconnect')
  await expect(toast(page, 'Test Wallet disconnected. You’re still signed in.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'In this browser' })).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText(username)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).not.toContainText(['Connected'])

  // Linking it again only connects it: it is linked already.
  await link(page, 'Test Wallet')
  await expect(rows(page)).toContainText(['Connected'])
  await wallet.disconnect()
  await expect(page.getByRole('region', { name: 'In this browser' })).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText(username)
})

test('a user with wallets only confirms with one, and adds a first password without a current one', async ({
  page,
  wallet,
}) => {
  await addAuthenticator(page)
  const username = await signInByWallet(page)
  await page.goto('/account/security')
  await expect(page.getByRole('button', { name: 'Change password' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/^Passkey “.*” added/)).toBeVisible()
  await signOut(page)
  // Like a key without a PIN: no user verification, so the session may not change sign-in methods.
  const path = '**/server/auth/passkeys/challenge'
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const { options } = await response.json()
    await route.fulfill({ response, json: { options: { ...options, userVerification: 'discouraged' } } })
  })
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  await page.unroute(path)

  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add password' }).click()
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Add password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveCount(0)
  wallet.rejectNext()
  await dialog.getByRole('button', { name: 'Confirm with Test Wallet' }).click()
  await expect(dialog.getByText('Not confirmed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Confirm with Test Wallet' }).click()
  await expect(toast(page, /^Password added/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
  expect(wallet.signed()).toHaveLength(2)
})

test('linking after a while: the person confirms first, and the action continues', async ({ page, context, watch }) => {
  await addTestWallet(context, { name: 'Second', rdns: 'org.example.second' })
  const username = newName()
  await enter(page, username)
  await openWallets(page)
  await expect(page.getByText('No wallets yet')).toBeVisible()
  // Said once, as a server does whose session was confirmed long ago.
  let refusals = 0
  await page.route('**/server/auth/wallets', async (route) => {
    if (route.request().method() !== 'POST' || refusals > 0) return route.fallback()
    refusals++
    const error = 'Confirm it’s you to continue.'
    await route.fulfill({ status: 403, json: { code: 119, error, reason: 'reauthenticationRequired' } })
  })
  await link(page, 'Second')
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, 'Wallet linked to your account.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  expect(refusals).toBe(1)
  expect(watch.refusals).toHaveLength(1)
})

test('a session names the wallet that opened it, with the signed message', async ({ page, wallet }) => {
  await signInByWallet(page)
  await page.goto('/account/sessions')
  const session = page.getByRole('main').getByRole('listitem').first()
  await session.getByRole('button', { name: /^Details/ }).click()
  await expect(session).toContainText('Signed in with wallet')
  const proof = session.getByRole('region', { name: 'Signed message' })
  await expect(proof).toContainText(wallet.signed()[0] ?? 'nothing')
  await expect(proof).toContainText(/Signature\s*0x[0-9a-f]{130}/)
})

test('a list that cannot be loaded says so and can be tried again', { tag: '@both' }, async ({ page, watch }) => {
  await signInByWallet(page)
  await page.route('**/server/auth/signInMethods', (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await openWallets(page)
  await expect(page.getByRole('alert')).toContainText('This is not allowed today.')
  await page.unroute('**/server/auth/signInMethods')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page)).toHaveCount(1)
  expect(watch.refusals).toHaveLength(1)
})
