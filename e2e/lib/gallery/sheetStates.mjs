import { openSheet } from '../steps/openSheet.mjs'
import { signInByWallet } from '../steps/signInByWallet.mjs'

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('@countersign/react/testing').TestWallet} TestWallet */
/** @typedef {(page: Page, wallet: TestWallet) => Promise<unknown>} Act */
/** @typedef {{ name: string, act: Act, cut?: boolean }} SheetState */

const sheet = (/** @type {Page} */ page) => page.getByRole('dialog')
const lead = (/** @type {Page} */ page, /** @type {string} */ text) =>
  sheet(page).getByText(text, { exact: true }).first().waitFor()

/** @type {(page: Page, name?: string) => Promise<void>} */
async function pick(page, name = 'Test Wallet') {
  await page.goto('/')
  await openSheet(page)
  await sheet(page)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
}

/** @type {(page: Page) => Promise<void>} */
async function linkOther(page) {
  await page.goto('/account/wallets')
  await page.getByRole('button', { name: 'Link a wallet' }).click()
  await sheet(page).getByRole('button', { name: 'Other Wallet' }).click()
}

/** @type {(page: Page) => Promise<void>} */
async function takeOther(page) {
  await signInByWallet(page, 'Other Wallet')
  await signOut(page)
  await signInByWallet(page)
  await linkOther(page)
  await lead(page, 'This wallet belongs to another account.')
}

/** @type {(page: Page) => Promise<void>} */
async function signOut(page) {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You’re signed out.').waitFor()
}

/**
 * Every state of the sheet, and of the Wallets screen with wallets in it: what is photographed, and what axe looks at.
 * Each begins in a browser of its own that holds two wallets. `cut` ones cut the page off from its server.
 *
 * @type {SheetState[]}
 */
export const sheetStates = [
  {
    name: 'choosing',
    act: async (page) => {
      await page.goto('/')
      await openSheet(page)
      await sheet(page).getByRole('button', { name: 'Test Wallet' }).waitFor()
    },
  },
  {
    name: 'connecting',
    act: async (page, wallet) => {
      wallet.hold()
      await pick(page)
      await lead(page, 'Approve the connection in Test Wallet.')
    },
  },
  {
    name: 'locked',
    act: async (page, wallet) => {
      await wallet.lock()
      await pick(page)
      await lead(page, 'Unlock Test Wallet to continue.')
    },
  },
  {
    name: 'pending',
    act: async (page, wallet) => {
      wallet.leavePending()
      await pick(page)
      await lead(page, 'A request is already open in Test Wallet.')
    },
  },
  {
    name: 'refused',
    act: async (page, wallet) => {
      wallet.rejectNext()
      await pick(page)
      await lead(page, 'You canceled. Nothing was signed.')
    },
  },
  {
    name: 'signing',
    act: async (page, wallet) => {
      wallet.hold()
      await pick(page)
      await wallet.approve()
      await lead(page, 'Sign the message in Test Wallet.')
      await sheet(page).getByText('Message to sign').click()
    },
  },
  {
    name: 'unsigned',
    act: async (page, wallet) => {
      wallet.hold()
      await pick(page)
      await wallet.approve()
      await wallet.reject()
      await lead(page, 'Connected, not signed in.')
    },
  },
  {
    name: 'changed',
    act: async (page, wallet) => {
      wallet.switchAccountWhileSigning(1)
      await pick(page)
      await lead(page, 'The account changed in Test Wallet.')
    },
  },
  {
    name: 'failed',
    act: async (page, wallet) => {
      wallet.rejectNext({ code: -32_603, message: 'Internal JSON-RPC error.' })
      await pick(page)
      await lead(page, 'Something went wrong.')
    },
  },
  {
    name: 'limited',
    act: async (page) => {
      await page.route('**/server/auth/challenge', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'Retry-After': '75' },
          json: { code: 155, error: 'Too many requests.' },
        }),
      )
      await pick(page)
      await lead(page, 'Too many attempts.')
    },
  },
  {
    name: 'unchecked',
    act: async (page) => {
      await page.route('**/server/auth/signInWithWallet', (route) =>
        route.fulfill({ status: 400, json: { code: 100, error: 'The chain gives no answer.' } }),
      )
      await pick(page)
      await lead(page, 'We couldn’t verify your smart account.')
    },
  },
  {
    name: 'offline',
    cut: true,
    act: async (page) => {
      await page.goto('/')
      await openSheet(page)
      await page.route('**/server/**', (route) => route.abort())
      await sheet(page).getByRole('button', { name: 'Test Wallet' }).click()
      await lead(page, 'No connection to the server.')
    },
  },
  {
    name: 'password',
    act: async (page) => {
      await pick(page, 'Password')
      await sheet(page).getByRole('button', { name: 'Sign in', exact: true }).click()
      await lead(page, 'Enter your username or email address.')
    },
  },
  {
    name: 'passkey',
    act: async (page) => {
      await page.route('**/server/auth/passkeys/challenge', () => {
        // Left pending: the sheet waits.
      })
      await pick(page, 'Passkey')
      await lead(page, 'Use your passkey.')
    },
  },
  {
    name: 'signed-in',
    act: (page) => signInByWallet(page),
  },
  {
    name: 'link',
    act: async (page) => {
      await signInByWallet(page)
      await page.goto('/account/wallets')
      await page.getByRole('button', { name: 'Link a wallet' }).click()
      await sheet(page).getByRole('heading', { name: 'Link a wallet' }).waitFor()
    },
  },
  {
    name: 'taken',
    act: takeOther,
  },
  {
    name: 'merging',
    act: async (page) => {
      await takeOther(page)
      await sheet(page).getByRole('button', { name: 'Merge accounts…' }).click()
      await lead(page, 'Merge these accounts?')
    },
  },
  {
    name: 'wallets-one',
    act: async (page) => {
      await signInByWallet(page)
      await page.goto('/account/wallets')
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Details/ })
        .click()
      await page.getByText('This is your only sign-in method').waitFor()
    },
  },
  {
    name: 'wallets',
    act: async (page, wallet) => {
      await signInByWallet(page)
      await linkOther(page)
      await page.getByText('Wallet linked to your account.').waitFor()
      await sheet(page).waitFor({ state: 'hidden' })
      const short = `${wallet.addresses[0]?.slice(0, 6)}…${wallet.addresses[0]?.slice(-4)}`
      await page.getByRole('button', { name: `Actions for ${short}` }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('Everyday')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Actions for Everyday' }).click()
      await page.getByRole('menuitem', { name: 'Unlink' }).click()
      await page.getByRole('region', { name: 'Recent changes you can undo' }).waitFor()
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Everyday restored.').waitFor()
      await wallet.switchAccount(1)
    },
  },
  {
    name: 'banner',
    act: async (page, wallet) => {
      await signInByWallet(page)
      await wallet.switchAccount(1)
      await page.getByText('Your wallet is using').waitFor()
    },
  },
  {
    name: 'session-proof',
    act: async (page) => {
      await signInByWallet(page)
      await page.goto('/account/sessions')
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Details/ })
        .first()
        .click()
    },
  },
  {
    name: 'security-no-password',
    act: async (page) => {
      await signInByWallet(page)
      await page.goto('/account/security')
      await page.getByRole('button', { name: 'Add password' }).waitFor()
    },
  },
]
