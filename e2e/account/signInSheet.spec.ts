import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { newName } from '../lib/steps/newName.ts'
import { openSheet } from '../lib/steps/openSheet.mjs'
import { password } from '../lib/steps/password.mjs'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { expect, serve } from '../lib/test.ts'
import { walletTest as test } from '../lib/walletTest.ts'

serve()

const hello = (page: Page) => page.getByRole('heading', { name: /^Hello, [a-z]+-[a-z]+-\d+$/ })
const short = (address = '') => new RegExp(`${address.slice(0, 6)}.*${address.slice(-4)}`, 'i')

test('first sign-in: one click, two prompts, the exact text on show; Undo signs out', {
  tag: ['@both', '@main'],
}, async ({ page, wallet }) => {
  await page.goto('/')
  wallet.hold()
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(sheet.getByText('Approve the connection in Test Wallet.', { exact: true })).toBeVisible()
  await wallet.approve()
  await expect(sheet.getByText('Sign the message in Test Wallet.', { exact: true })).toBeVisible()
  await expect(sheet.getByText('Signing is free and doesn’t send a transaction.', { exact: true })).toBeVisible()
  await sheet.getByText('Message to sign').click()
  await expect(sheet.getByText(/wants you to sign in with your Ethereum account:/)).toBeVisible()
  const shown = await sheet.locator('pre').innerText()
  await wallet.approve()

  await expect(hello(page)).toBeVisible()
  // Held by the pointer, so that it stays until it is pressed.
  await page.getByText('You’re signed in as').hover()
  await expect(sheet).toBeHidden()
  await expect(hello(page)).toBeFocused()
  expect(wallet.signed()).toEqual([shown])
  expect(wallet.prompts().map(({ method }) => method)).toEqual(['eth_requestAccounts', 'personal_sign'])
  const toast = page.getByRole('status').filter({ hasText: 'You’re signed in as' })
  await toast.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You’re signed out.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('S23: a return visit: no prompt, no flash of the signed-out page; none on a change of chain either', async ({
  page,
  wallet,
}) => {
  const username = await signInByWallet(page)
  wallet.clear()
  await page.route(/config\.json|users\/me/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('a, button, h1')) {
        const text = element.textContent ?? ''
        if (!seen.includes(text)) seen.push(text)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await page.goto('/account/wallets')
  await expect(page.getByRole('listitem').filter({ hasText: 'Connected' })).toBeVisible()
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen).toContain('Wallets')
  expect(seen.filter((text) => /Sign in|Create/.test(text))).toEqual([])

  await wallet.switchChain(8453)
  await page.reload()
  await expect(page.getByRole('banner')).toContainText(username)
  await expect(page.getByRole('listitem').filter({ hasText: 'Connected' })).toBeVisible()
  expect(wallet.requests().length).toBeGreaterThan(0)
  expect(wallet.prompts()).toEqual([])
})

test('S23: opening the page and the sheet asks no wallet and no other host', async ({
  page,
  context,
  wallet,
  baseURL,
}) => {
  const strangers: string[] = []
  context.on('request', (request) => {
    if (/^http/.test(request.url()) && new URL(request.url()).origin !== baseURL) strangers.push(request.url())
  })
  page.on('websocket', (socket) => strangers.push(socket.url()))
  await page.goto('/', { waitUntil: 'networkidle' })
  const sheet = await openSheet(page)
  await expect(sheet.getByRole('button', { name: 'Test Wallet' })).toBeVisible()
  await page.reload({ waitUntil: 'networkidle' })
  expect(strangers).toEqual([])
  expect(wallet.prompts()).toEqual([])
})

test('no to connecting, then no to signing: calm words, and each can be tried again', async ({ page, wallet }) => {
  await page.goto('/')
  const sheet = await openSheet(page)
  wallet.rejectNext()
  await sheet.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(sheet.getByText('You canceled. Nothing was signed.', { exact: true })).toBeVisible()
  await expect(sheet.getByRole('alert')).toBeEmpty()

  wallet.hold()
  await sheet.getByRole('button', { name: 'Try again' }).click()
  await wallet.approve()
  await wallet.reject()
  await expect(sheet.getByText('Connected, not signed in.', { exact: true })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Use another account' })).toBeVisible()
  expect(wallet.signed()).toEqual([])
  await sheet.getByRole('button', { name: 'Sign in', exact: true }).click()
  await wallet.approve()
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts()).toHaveLength(4)
})

test('names a locked wallet after three seconds, and continues once it is unlocked', async ({ page, wallet }) => {
  await page.goto('/')
  await wallet.lock()
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(sheet.getByText('Unlock Test Wallet to continue.', { exact: true })).toBeVisible()
  await wallet.unlock()
  await expect(hello(page)).toBeVisible()
})

test('a wallet with an open prompt (-32002) is not asked again', async ({ page, wallet }) => {
  await page.goto('/')
  wallet.leavePending()
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(sheet.getByText('A request is already open in Test Wallet.', { exact: true })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Start over' })).toHaveCount(0)
  const asked = () => wallet.requests().filter(({ method }) => method === 'eth_requestAccounts').length
  await page.evaluate(() => {
    for (const name of ['focus', 'online']) window.dispatchEvent(new Event(name))
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(sheet.getByText('Open your wallet to respond.', { exact: true })).toBeVisible()
  expect(asked()).toBe(1)
  // Approved in the wallet's own window: the page continues, and the one prompt is the signature.
  await wallet.approve()
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts().map(({ method }) => method)).toEqual(['personal_sign'])
})

test.describe('a wallet on a chain that the server does not know', () => {
  test.use({ walletOptions: { chainId: 31_337 } })
  test('signs in all the same, and is asked to change nothing', async ({ page, wallet }) => {
    await signInByWallet(page)
    expect(wallet.requests().some(({ method }) => method.includes('EthereumChain'))).toBe(false)
  })
})

test('S22: the account changes while signing: sign-in fails, and the sheet names the other account', async ({
  page,
  wallet,
}) => {
  await page.goto('/')
  wallet.switchAccountWhileSigning(1)
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Test Wallet' }).click()
  await expect(sheet.getByText('The account changed in Test Wallet.', { exact: true })).toBeVisible()
  await expect(page.locator('h1')).toHaveText(/Your account/)
  expect(wallet.signed()).toHaveLength(1)

  await sheet.getByRole('button', { name: short(wallet.addresses[1]) }).click()
  await expect(hello(page)).toBeVisible()
  await page.goto('/account/wallets')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Details/ })
    .click()
  await expect(page.getByText(wallet.addresses[1] ?? '', { exact: true })).toBeVisible()
})

test('a wallet that is announced late appears automatically', async ({ page, context, wallet }) => {
  const late = await addTestWallet(context, { name: 'Late Wallet', rdns: 'org.example.late', announce: 'later' })
  await page.goto('/')
  const sheet = await openSheet(page)
  await expect(sheet.getByRole('button', { name: 'Test Wallet' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Late Wallet' })).toHaveCount(0)
  await late.announce()
  await sheet.getByRole('button', { name: 'Late Wallet' }).click()
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts()).toEqual([])
  expect(late.signed()).toHaveLength(1)
})

test('S24: a hostile announcement runs no script, loads nothing and takes no row over', async ({ page, wallet }) => {
  await page.addInitScript(() => {
    const stolen: string[] = []
    Object.assign(window, { stolen })
    const provider = { request: async ({ method }: { method: string }) => void stolen.push(method) }
    const svg = (text: string) => `data:image/svg+xml,${encodeURIComponent(text)}`
    const script =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="window.stolen.push(1)"><script>top.stolen.push(2)</script></svg>'
    const wallets = [
      { uuid: 'a', rdns: 'org.countersign.test-wallet', name: 'Test Wallet', icon: svg(script) },
      { uuid: 'b', rdns: 'com.evil', name: 'Test Wallet', icon: svg(script) },
      {
        uuid: 'c',
        rdns: 'com.evil.two',
        name: '<img src=x onerror="stolen.push(3)">',
        icon: 'https://evil.example/x.png',
      },
      { uuid: 'd', rdns: 'com.evil.three', name: 'Script', icon: 'javascript:stolen.push(4)' },
      { uuid: 'e', rdns: 'com.evil.four', name: 'Page', icon: 'data:text/html,<script>stolen.push(5)</script>' },
    ]
    const announce = () => {
      for (const info of wallets)
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
    }
    // After the true one, as a page cannot come before an extension.
    window.addEventListener('eip6963:requestProvider', () => setTimeout(announce, 50))
  })
  await page.goto('/')
  const sheet = await openSheet(page)
  await expect(sheet.getByRole('button', { name: 'Script' })).toBeVisible()
  // The copy of the name is there, and both bear what they claim to be.
  const rows = sheet.getByRole('button', { name: /^Test Wallet/ })
  await expect(rows).toHaveText([
    'Test Walletorg.countersign.test-wallet',
    'Test WalletAlso claims to be org.countersign.test-wallet',
    'Test Walletcom.evil',
  ])
  await expect(sheet.locator('img')).not.toHaveCount(0)
  for (const source of await sheet.locator('img').evaluateAll((all) => all.map((one) => one.getAttribute('src'))))
    expect(source).toMatch(/^data:image\//)

  await rows.first().click()
  await expect(hello(page)).toBeVisible()
  expect(wallet.signed()).toHaveLength(1)
  expect(await page.evaluate(() => (window as unknown as { stolen: unknown[] }).stolen)).toEqual([])
})

test('S25: no script can read a token after a wallet signed in, and no policy was broken', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => {
    const broken: string[] = []
    Object.assign(window, { broken })
    document.addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective))
  })
  await signInByWallet(page)
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href, window.name]),
  )
  expect(readable).not.toMatch(/r:[0-9a-z]{8}|sessionToken|0x[0-9a-f]{64}/i)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const cookies = await context.cookies()
  expect(cookies.length).toBeGreaterThan(0)
  for (const cookie of cookies) expect(cookie.httpOnly).toBe(true)
  expect(await page.evaluate(() => (window as unknown as { broken: string[] }).broken)).toEqual([])
})

test.describe('no wallet at all', () => {
  test.use({ walletOptions: { evm: 'none' } })
  test('the sheet says so, and leads to passkey, password and the demo wallet', async ({ page, api }) => {
    const username = newName()
    await api.signUp({ username, password })
    await page.goto('/')
    const sheet = await openSheet(page)
    await expect(sheet.getByText('No wallet found in this browser.', { exact: true })).toBeVisible()
    await expect(sheet.getByRole('link', { name: 'Get a wallet' })).toBeVisible()
    await expect(sheet.getByRole('button', { name: 'Passkey' })).toBeVisible()
    // Below what works.
    const [notice, demo] = await Promise.all(
      [sheet.getByText('No wallet found'), sheet.getByRole('button', { name: 'Demo wallet' })].map((one) =>
        one.boundingBox(),
      ),
    )
    expect(notice?.y).toBeGreaterThan(demo?.y ?? Number.POSITIVE_INFINITY)
    await sheet.getByRole('button', { name: /^Password/ }).click()
    await sheet.getByLabel('Username or email').fill(username)
    await sheet.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await expect(sheet.getByText('Incorrect username or password.')).not.toHaveCount(0)
    await sheet.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  })

  test('D9: the demo wallet is offered last, is labelled, and signs in', async ({ page }) => {
    const username = await signInByWallet(page, 'Demo wallet')
    await page.reload()
    await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  })

  test('a passkey signs in through the sheet', async ({ page }) => {
    await addAuthenticator(page)
    await signInByWallet(page, 'Demo wallet')
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText(/^Passkey “.*” added/)).toBeVisible()
    await page.getByRole('banner').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByText('You’re signed out.')).toBeVisible()
    const sheet = await openSheet(page)
    await sheet.getByRole('button', { name: 'Passkey' }).click()
    await expect(hello(page)).toBeVisible()
  })
})

test.describe('a Solana wallet', () => {
  test.use({ walletOptions: { name: 'Phantom', evm: 'none', solana: 'signIn' } })
  test('Phantom-shaped: connects and signs in by one prompt, and stands among the wallets', async ({
    page,
    wallet,
  }) => {
    await signInByWallet(page, 'Phantom')
    expect(wallet.prompts().map(({ method }) => method)).toEqual(['solana:signIn'])
    await page.goto('/account/wallets')
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Details/ })
      .click()
    const row = page.getByRole('listitem').filter({ hasText: wallet.solanaAddresses[0] ?? 'none' })
    await expect(row).toContainText('Solana')
  })
})

test('the whole flow by keyboard alone', async ({ page, wallet }) => {
  await page.goto('/')
  await expect(page.locator('h1')).toBeVisible()
  const signIn = page.getByRole('banner').getByRole('button', { name: 'Sign in' })
  for (let presses = 0; presses < 4 && !(await signIn.evaluate((one) => one === document.activeElement)); presses++)
    await page.keyboard.press('Tab')
  await expect(signIn).toBeFocused()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('heading', { name: 'Sign in', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(signIn).toBeFocused()

  wallet.hold()
  await page.keyboard.press('Enter')
  await expect(sheet.getByRole('button', { name: 'Test Wallet' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(sheet.getByRole('button', { name: 'Test Wallet' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sheet.getByRole('heading', { name: 'Sign in with Test Wallet' })).toBeFocused()
  // Esc cancels what is under way and keeps the sheet.
  await page.keyboard.press('Escape')
  await expect(sheet.getByRole('heading', { name: 'Sign in', exact: true })).toBeFocused()
  await wallet.reject()
  await page.keyboard.press('T')
  await expect(sheet.getByRole('button', { name: 'Test Wallet' })).toBeFocused()
  await page.keyboard.press('Enter')
  await wallet.approve()
  await expect(sheet.getByText('Sign the message in Test Wallet.', { exact: true })).toBeVisible()
  await wallet.approve()
  await expect(sheet).toBeHidden()
  await expect(hello(page)).toBeFocused()
})

const hostile = [
  '//evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example',
  'https:evil.example',
  '/\t/evil.example',
  '/%0d%0a//evil.example',
  '/%ff',
  'javascript:alert(1)',
  'data:text/html,hi',
  'evil.example',
]

test('S32: no return path leaves this site, before or after a wallet signs in', async ({ page, baseURL }) => {
  await page.goto(`/sign-in?next=${encodeURIComponent('//evil.example')}`)
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
  await expect(hello(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  for (const next of hostile) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await expect(hello(page), next).toBeVisible()
    expect(page.url(), next).toBe(`${baseURL}/`)
  }
  await page.goto('/sign-in?next=%2Faccount%2Fwallets%3Ffrom%3Dmail')
  await expect(page).toHaveURL('/account/wallets?from=mail')
})

test('the sheet has the title of the button that opens it', { tag: '@both' }, async ({ page }) => {
  for (const [path, title] of [
    ['/sign-in', 'Sign in with a wallet'],
    ['/sign-up', 'Continue with a wallet'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('main').getByRole('button', { name: title }).click()
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Passkey' })).toHaveCount(0)
  }
})
