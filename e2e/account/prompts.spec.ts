import { readFileSync } from 'node:fs'
import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { openSheet } from '../lib/steps/openSheet.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

/** Rows of the table in the documentation, with their prompts. */
const table = new Map(
  readFileSync(new URL('../../docs/sign-in-prompts.md', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.match(/^\| (.+?) \| (\d) \| (.*)\|$/))
    .filter((match) => match !== null)
    .map(([, name = '', count, asked = '']) => {
      const list = [...asked.matchAll(/`([^`]+)`/g)].map(([, method]) => method)
      expect(list).toHaveLength(Number(count))
      return [name, list]
    }),
)

/** Prompts according to the documentation. */
function promptsOf(row: string) {
  const asked = table.get(row)
  if (!asked) throw new Error(`docs/sign-in-prompts.md has no row “${row}”.`)
  return asked
}

const rows = {
  atOnce: 'EVM wallet with the capability `signInWithEthereum`',
  otherText: 'the same, where it signs another text than it was asked for',
  usual: 'any other EVM wallet, the first time',
  permitted: 'the same, once the page is permitted',
  solanaAtOnce: 'Solana wallet with `solana:signIn`',
  solana: 'Solana wallet without',
  passkey: 'passkey, by the button',
  autofill: 'passkey, offered in the username field',
  visit: 'return visit with a session',
}

test('every row of the documentation is counted here', () => {
  expect([...table.keys()]).toEqual(Object.values(rows))
})

const hello = (page: Page) => page.getByRole('heading', { name: /^Hello, / })

/** Waits until the sheet has fetched what is to be signed, then picks a wallet. */
async function pick(page: Page, name: string) {
  const fetched = page.waitForResponse((response) => response.url().endsWith('/auth/challenge'))
  const sheet = await openSheet(page)
  await fetched
  await sheet.getByRole('button', { name }).click()
}

test('a wallet that knows wallet_connect signs in by one prompt, and nothing is fetched before it', async ({
  page,
  context,
}) => {
  const wallet = await addTestWallet(context, { name: 'One Prompt', signInWithEthereum: true, chainId: 8453 })
  await page.goto('/')
  const fetched = page.waitForResponse((response) => response.url().endsWith('/auth/challenge'))
  const sheet = await openSheet(page)
  await fetched
  wallet.hold()
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  await sheet.getByRole('button', { name: 'One Prompt' }).click()
  await expect.poll(() => wallet.prompts().length).toBe(1)
  expect(sent.filter((path) => path.startsWith('/server'))).toEqual([])
  await wallet.approve()
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts().map(({ method }) => method)).toEqual(promptsOf(rows.atOnce))
  expect(wallet.signed()[0]).toContain('Chain ID: 8453')
})

test('asks a wallet that writes another text to sign ours', async ({ page, context }) => {
  const wallet = await addTestWallet(context, { name: 'Own Words', signInWithEthereum: true })
  wallet.alterNextText((text) => text.replace(/\n\nSign in to.*\n\n/, '\n\nWelcome.\n\n'))
  await page.goto('/')
  await pick(page, 'Own Words')
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts().map(({ method }) => method)).toEqual(promptsOf(rows.otherText))
})

test('connects and then signs with a wallet without one-prompt sign-in: two prompts', async ({ page, context }) => {
  const wallet = await addTestWallet(context, { name: 'Usual' })
  await page.goto('/')
  await pick(page, 'Usual')
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts().map(({ method }) => method)).toEqual(promptsOf(rows.usual))

  wallet.clear()
  await page.reload()
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts()).toEqual(promptsOf(rows.visit))

  await signOut(page)
  wallet.clear()
  await page.goto('/')
  await pick(page, 'Usual')
  await expect(hello(page)).toBeVisible()
  expect(wallet.prompts().map(({ method }) => method)).toEqual(promptsOf(rows.permitted))
})

test('a rejected wallet_connect is not retried in another form', async ({ page, context }) => {
  const wallet = await addTestWallet(context, { name: 'One Prompt', signInWithEthereum: true })
  wallet.rejectNext()
  await page.goto('/')
  await pick(page, 'One Prompt')
  await expect(page.getByText('You canceled. Nothing was signed.', { exact: true })).toBeVisible()
  expect(wallet.prompts()).toHaveLength(1)
})

test('a Solana wallet: one prompt with solana:signIn, two without', async ({ page, context }) => {
  const quick = await addTestWallet(context, { name: 'Quick', rdns: 'org.quick', evm: 'none', solana: 'signIn' })
  const plain = await addTestWallet(context, { name: 'Plain', rdns: 'org.plain', evm: 'none', solana: 'signMessage' })
  await page.goto('/')
  await pick(page, 'Quick')
  await expect(hello(page)).toBeVisible()
  expect(quick.prompts().map(({ method }) => method)).toEqual(promptsOf(rows.solanaAtOnce))
  await signOut(page)
  await page.goto('/')
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Plain' }).click()
  await expect(hello(page)).toBeVisible()
  expect(plain.prompts().map(({ method }) => method)).toEqual(promptsOf(rows.solana))
})

/** Notes how the page asks the browser for passkeys. */
async function countPasskeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked: string[] = []
    Object.assign(window, { asked })
    const { credentials } = navigator
    const get = credentials.get.bind(credentials)
    credentials.get = (options) => {
      asked.push(options?.mediation ? `credentials.get (${options.mediation})` : 'credentials.get')
      return get(options)
    }
  })
}

const listAsked = (page: Page) => page.evaluate(() => (window as unknown as { asked: string[] }).asked)

async function makePasskey(page: Page): Promise<void> {
  await enter(page, newName())
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1)
  await signOut(page)
}

test('a passkey: one prompt by the button, and what was used last comes first', async ({ page }) => {
  await countPasskeys(page)
  await addAuthenticator(page)
  await makePasskey(page)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(hello(page)).toBeVisible()
  expect(await listAsked(page)).toEqual(promptsOf(rows.passkey))
  await signOut(page)
  await page.goto('/sign-in')
  await expect(page.getByRole('main').getByRole('button').first()).toHaveText('Sign in with a passkey')
})

test('a passkey that the browser offers in the field signs in without a button', async ({ page }) => {
  await countPasskeys(page)
  await addAuthenticator(page, { autofill: true })
  await makePasskey(page)
  // Chromium's virtual device chooses what the field offers.
  await page.goto('/sign-in')
  await expect(hello(page)).toBeVisible()
  expect(await listAsked(page)).toEqual(promptsOf(rows.autofill))
})
