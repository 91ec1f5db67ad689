import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { addAuthenticator } from './lib/addAuthenticator.ts'
import { enter } from './lib/enter.ts'
import { newName } from './lib/newName.ts'
import { password } from './lib/password.mjs'
import { signInByWallet } from './lib/signInByWallet.mjs'
import { signOut } from './lib/signOut.ts'
import { expect, serve } from './lib/test.ts'
import { walletTest as test } from './lib/walletTest.ts'

serve()

const rows = (page: Page) => page.getByRole('region', { name: /wallets?$/ }).getByRole('listitem')
const row = (page: Page, address = '') => rows(page).filter({ hasText: address })
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Your wallet is on' })
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

test('link, rename, make primary, unlink and undo', { tag: '@both' }, async ({ page, context, wallet, watch }) => {
  const second = await addTestWallet(context, { name: 'Second', rdns: 'org.example.second' })
  const [address] = wallet.addresses
  const [other] = second.addresses
  await signInByWallet(page)
  await openWallets(page)
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, address)).toContainText('Primary')
  await expect(row(page, address)).toContainText('Every EVM chain')
  await expect(row(page, address)).toContainText('This is your only way in')
  await expect(page.getByRole('button', { name: /^Unlink/ })).toHaveCount(0)

  await link(page, 'Second')
  await expect(toast(page, 'The wallet is linked to your account.')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await expect(banner(page)).toHaveCount(0)
  expect(second.signed()[0]).toContain('Link this wallet')

  await row(page, other)
    .getByRole('button', { name: /^Rename/ })
    .click()
  await page.keyboard.type('Savings')
  await page.keyboard.press('Enter')
  await expect(row(page, other).getByRole('heading', { name: 'Savings' })).toBeVisible()
  await expect(row(page, other).getByRole('button', { name: 'Rename Savings' })).toBeFocused()
  await page.getByRole('button', { name: 'Make Savings primary' }).click()
  await expect(row(page, other)).toContainText('Primary')
  await expect(row(page, address)).not.toContainText('Primary')
  await expect(row(page, other).getByRole('button', { name: 'Rename Savings' })).toBeFocused()
  await expect(toast(page, 'Savings is your primary wallet now.')).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, address)).toContainText('Primary')
  await expect(row(page, other)).not.toContainText('Primary')

  await page.getByRole('button', { name: 'Unlink Savings' }).click()
  await expect(toast(page, 'Savings is unlinked.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await expect(toast(page, 'Savings is back.')).toBeVisible()
  await expect(row(page, other)).toContainText('Savings')

  // The way back is on the page itself too, also after a reload.
  await page.getByRole('button', { name: 'Unlink Savings' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await page.getByRole('region', { name: 'Can still be undone' }).getByRole('button', { name: /^Undo/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Can still be undone' })).toHaveCount(0)
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
  await row(page, first).getByRole('button', { name: 'Copy the address' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  await wallet.switchAccount(1)
  await banner(page).getByRole('button', { name: /^Link/ }).click()
  await expect(rows(page)).toHaveCount(2)
  const signed = wallet.signed().length

  await row(page, first)
    .getByRole('button', { name: /^Verify/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await expect(dialog.getByText(`Your wallet is on ${second.slice(0, 6)}`)).toBeVisible()
  expect(wallet.signed()).toHaveLength(signed)

  await wallet.switchAccount(0)
  wallet.rejectNext()
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await expect(dialog.getByText('Nothing was signed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await expect(toast(page, /has signed: it is still yours\.$/)).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(wallet.signed().at(-1)).toContain(first)
  await page.goto('/account/activity?kind=confirmations')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(`${first.slice(0, 6).toLowerCase()}`)
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
  await sheet.getByRole('button', { name: 'Sign in there' }).click()
  await expect(page.getByRole('banner')).toContainText(owner)
  await expect(toast(page, `Signed in as ${owner}.`)).toBeVisible()
  await expect(row(page, shared.addresses[0])).toBeVisible()
  expect(watch.refusals).toHaveLength(1)
})

test('a taken wallet: merge with a preview, and undo it', async ({ page, context, wallet }) => {
  const shared = await addTestWallet(context, { name: 'Shared', rdns: 'org.example.shared' })
  const other = await signInByWallet(page, 'Shared')
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.getByLabel('Name', { exact: true }).fill('city')
  await page.getByLabel('Value').fill('London')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Your profile is saved.')).toBeVisible()
  await signOut(page)
  const username = await signInByWallet(page)
  await openWallets(page)
  await link(page, 'Shared')
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Merge…' }).click()
  await expect(sheet.getByText('Bring both accounts together?', { exact: true })).toBeVisible()
  await expect(sheet.locator('.cs-text')).toContainText(`${username} takes over from ${other}: 1 wallet.`)
  await expect(sheet.getByRole('listitem').filter({ hasText: 'New on your account: city.' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(toast(page, `${other} is part of your account now.`)).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('banner')).toContainText(username)
  expect(shared.signed().at(-1)).toContain('Merge')
  expect(wallet.signed()).toHaveLength(1)

  await page.getByRole('region', { name: 'Can still be undone' }).getByRole('button', { name: /^Undo/ }).click()
  await expect(toast(page, `${other} is an account of its own again.`)).toBeVisible()
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
  await expect(banner(page)).toContainText(`${second.slice(0, 6)}`.toLowerCase())
  await expect(page.getByRole('banner')).toContainText(username)
  const prompts = wallet.prompts().length

  await banner(page).getByRole('button', { name: /^Keep/ }).click()
  await expect(banner(page)).toHaveCount(0)
  await wallet.switchAccount(0)
  await wallet.switchAccount(1)
  await expect(banner(page)).toBeVisible()
  expect(wallet.prompts()).toHaveLength(prompts)

  await banner(page).getByRole('button', { name: /^Link/ }).click()
  await expect(toast(page, 'The wallet is linked to your account.')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  await openWallets(page)
  await expect(row(page, second)).toContainText('Connected')

  // Now it is linked: nobody is asked anything, nobody is signed out.
  await wallet.switchAccount(0)
  await expect(row(page, first)).toContainText('Connected')
  await expect(banner(page)).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText(username)
})

test('S22: Switch signs in as the account that the wallet is on, which does not see what the other had begun', async ({
  page,
  wallet,
}) => {
  const username = await signInByWallet(page)
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Add a field' }).click()
  await expect(page.getByText('You have unsaved changes.')).toBeVisible()
  await wallet.switchAccount(1)
  await banner(page)
    .getByRole('button', { name: /^Switch to/ })
    .click()
  await expect(toast(page, /^Welcome! You are signed in as/)).toBeVisible()
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
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await expect(toast(page, 'Test Wallet is disconnected. You are still signed in.')).toBeVisible()
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

test('whoever has only wallets confirms by one, and adds a first password without a current one', async ({
  page,
  wallet,
}) => {
  await addAuthenticator(page)
  const username = await signInByWallet(page)
  await page.goto('/account/security')
  await expect(page.getByLabel('Current password', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText(/^The passkey “.*” is added/)).toBeVisible()
  await signOut(page)
  // As with a key that has no PIN: nobody checked who uses it, so the session may not change the ways in.
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
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Add password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveCount(0)
  wallet.rejectNext()
  await dialog.getByRole('button', { name: 'Confirm with Test Wallet' }).click()
  await expect(dialog.getByText('Not confirmed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Confirm with Test Wallet' }).click()
  await expect(toast(page, /^You have a password now/)).toBeVisible()
  await expect(page.getByLabel('Current password', { exact: true })).toBeVisible()
  expect(wallet.signed()).toHaveLength(2)
})

test('linking after a while: the person confirms first, and what was begun goes on', async ({
  page,
  context,
  watch,
}) => {
  await addTestWallet(context, { name: 'Second', rdns: 'org.example.second' })
  const username = newName()
  await enter(page, username)
  await openWallets(page)
  await expect(page.getByText('No wallet yet')).toBeVisible()
  // Said once, as a server does whose session was confirmed long ago.
  let refusals = 0
  await page.route('**/server/auth/wallets', async (route) => {
    if (route.request().method() !== 'POST' || refusals > 0) return route.fallback()
    refusals++
    const error = 'Please confirm that it is you first.'
    await route.fulfill({ status: 403, json: { code: 119, error, reason: 'reauthenticationRequired' } })
  })
  await link(page, 'Second')
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, 'The wallet is linked to your account.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  expect(refusals).toBe(1)
  expect(watch.refusals).toHaveLength(1)
})

test('a session names the wallet that opened it, with what was signed', async ({ page, wallet }) => {
  await signInByWallet(page)
  await page.goto('/account/sessions')
  const session = page.getByRole('main').getByRole('listitem').first()
  await expect(session).toContainText('Signed in with wallet')
  await session.getByText('What was signed').click()
  await expect(session.locator('details')).toContainText(wallet.signed()[0] ?? 'nothing')
  await expect(session.locator('details')).toContainText(/Signature\s*0x[0-9a-f]{130}/)
})

test('a list that cannot be loaded says so and can be tried again', { tag: '@both' }, async ({ page, watch }) => {
  await signInByWallet(page)
  await page.route('**/server/auth/waysIn', (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await openWallets(page)
  await expect(page.getByRole('alert')).toContainText('This is not allowed today.')
  await page.unroute('**/server/auth/waysIn')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page)).toHaveCount(1)
  expect(watch.refusals).toHaveLength(1)
})
