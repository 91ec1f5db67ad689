import type { Page } from '@playwright/test'
import { startIssuer } from '../lib/servers/startIssuer.mjs'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { openSheet } from '../lib/steps/openSheet.mjs'
import { password } from '../lib/steps/password.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serveBy, test } from '../lib/test.ts'

let issuerUrl = ''
serveBy(async () => {
  const started = await startIssuer()
  issuerUrl = started.issuerUrl
  return started
})

/** The pages of the provider ask for it; there is no such host here. */
const fonts = 'https://fonts.googleapis.com/'
test.beforeEach(({ context }) => context.route(`${fonts}**`, (route) => route.fulfill({ body: '' })))

// The provider is another host, and its pages are its own.
test.afterEach(({ watch }) => {
  watch.faults = watch.faults.filter((fault) => !fault.includes(issuerUrl) && !fault.includes(fonts))
})

/** Signs in at the provider and allows access. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.waitForURL(`${issuerUrl}/interaction/**`)
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a redirect to the provider and back makes the account, and opens it again', async ({ page, context }) => {
  const name = newName()
  await page.goto('/sign-in?next=/account/security')
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await signInThere(page, name)
  await expect(page).toHaveURL(/^[^?]*\/account\/security/)
  await expect(page.getByText(`Acme · ${name}@example.org`)).toBeVisible()
  // The address contains no code afterwards, and no script can read the session.
  expect(page.url()).not.toContain('code=')
  const cookies = await context.cookies(page.url())
  expect(cookies.filter(({ name: each }) => each.startsWith('countersign')).every(({ httpOnly }) => httpOnly)).toBe(
    true,
  )

  // The only sign-in method stays.
  await page.getByRole('button', { name: 'Remove Acme' }).click()
  await expect(page.getByText('This is your only sign-in method. Add another one first.')).toBeVisible()

  await signOut(page)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await expect(page.getByText('Hello,').first()).toBeVisible()
})

test('rejects the provider response of another browser', async ({ page, browser, baseURL }) => {
  const name = newName()
  let answer = ''
  page.on('request', (request) => {
    if (request.url().includes('/auth/providers/acme/callback?')) answer = request.url()
  })
  // It is not used here: somebody keeps it for another person.
  await page.route('**/auth/signInWithProvider', (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await signInThere(page, name)
  await expect.poll(() => answer).toContain('code=')
  const victim = await browser.newContext({ baseURL: String(baseURL) })
  const planted = await victim.newPage()
  await planted.goto(answer)
  await expect(planted.getByRole('alert')).toBeVisible()
  expect((await victim.cookies()).some(({ name: each }) => each === 'countersign')).toBe(false)
  await victim.close()
})

test('an account with the same address signs in first, then adds the provider in a popup; it is removed and brought back', async ({
  page,
  api,
}) => {
  const name = newName()
  await enter(page, name, { email: `${name}@example.org` })
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.goto('/outbox')
  const mail = page
    .getByRole('region')
    .filter({ hasText: `${name}@example.org` })
    .first()
  await mail.getByRole('link', { name: 'Open link' }).click()
  await expect.poll(async () => (await api.logIn({ username: name, password })).emailVerified).toBe(true)
  await page.goto('/account/security')
  const popups = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Add Acme' }).click()
  const popup = await popups
  await signInThere(popup, name)
  await expect(page.getByText('Acme was added to your account.')).toBeVisible({ timeout: 30_000 })
  expect(popup.isClosed()).toBe(true)
  await expect(page.getByText(`Acme · ${name}@example.org`)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Acme' }).click()
  await page.getByText('Acme was removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Acme · ${name}@example.org`)).toBeVisible()
})

test('never linked by the address alone', async ({ page, api, browser, baseURL }) => {
  const name = newName()
  await enter(page, name, { email: `${name}@example.org` })
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.goto('/outbox')
  const mail = page
    .getByRole('region')
    .filter({ hasText: `${name}@example.org` })
    .first()
  await mail.getByRole('link', { name: 'Open link' }).click()
  await expect.poll(async () => (await api.logIn({ username: name, password })).emailVerified).toBe(true)
  const context = await browser.newContext({ baseURL: String(baseURL) })
  const other = await context.newPage()
  await other.goto('/sign-in')
  await other.getByRole('button', { name: 'Continue with Acme' }).click()
  await signInThere(other, name)
  await expect(other.getByRole('alert')).toContainText('An account with this email address exists.')
  await context.close()
})

test('the sheet opens the provider in a new window, and offers it first the next time', async ({ page }) => {
  const name = newName()
  await page.goto('/')
  const sheet = await openSheet(page)
  const popups = page.waitForEvent('popup')
  await sheet.getByRole('button', { name: 'Acme' }).click()
  const popup = await popups
  await expect(sheet.getByText('Continue at Acme.', { exact: true })).toBeVisible()
  await signInThere(popup, name)
  await expect(page.getByText('Hello,').first()).toBeVisible({ timeout: 30_000 })
  expect(popup.isClosed()).toBe(true)
  await signOut(page)
  await page.goto('/sign-in')
  await expect(page.getByRole('main').getByRole('button').first()).toHaveText('Continue with Acme')
  await page.goto('/sign-up')
  await expect(page.getByRole('button', { name: 'Continue with Acme' })).toBeVisible()
  await page.goto('/')
  await expect((await openSheet(page)).getByRole('listitem').first()).toContainText('Acme')
})
