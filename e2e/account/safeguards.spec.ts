import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('recovery codes are made once, kept, and open the account once each', { tag: ['@both', '@main'] }, async ({
  page,
  context,
  watch,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const username = newName()
  await enter(page, username)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Generate codes' }).click()
  const dialog = page.getByRole('dialog')
  const items = dialog.getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allInnerTexts()
  // A second press does not close what is shown once.
  await page.keyboard.press('Enter')
  await expect(items).toHaveCount(10)
  // The button is disabled until the codes were copied, saved or printed.
  await expect(dialog.getByRole('button', { name: 'I’ve saved my codes' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Codes copied.')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  for (const code of codes) expect(copied).toContain(code)
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await readFile(await (await saving).path(), 'utf8')).toContain(codes.join('\n'))
  await dialog.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await expect(page.getByText('10 of 10 remaining')).toBeVisible()
  await page.reload()
  await expect(page.getByText('10 of 10 remaining')).toBeVisible()
  await expect(page.getByText(codes[0] ?? '')).toBeHidden()

  await signOut(page)
  await page.goto('/sign-in?next=%2Faccount%2Fsecurity')
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  // Both screens ask for a name.
  await expect(page.getByRole('heading', { name: 'Use a recovery code' })).toBeVisible()
  const fill = async (code: string) => {
    await page.getByLabel('Username or email').fill(username)
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(code)
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
  }
  await fill('wrong-code')
  await expect(page.getByRole('alert')).toContainText('Incorrect username or recovery code')
  await fill(codes[3] ?? '')
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByText('9 of 10 remaining')).toBeVisible()
  expect(watch.refusals.length).toBe(1)
})

/** An account with a verified address: no alert can arrive without one. */
async function enterVerified(page: Page) {
  const username = newName()
  const email = `${username}@example.org`
  await enter(page, username, { email })
  await page.goto('/outbox')
  await page.getByRole('region').filter({ hasText: email }).getByRole('link', { name: 'Open link' }).first().click()
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
}

test('without a verified address the alerts are off, with a hint', {
  tag: '@both',
}, async ({ page }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/security')
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await expect(alerts.getByRole('switch')).not.toBeChecked()
  await expect(alerts.getByRole('switch')).toBeDisabled()
  await alerts.getByRole('link', { name: 'Add email' }).click()
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await page.goto('/account/security')
  await expect(alerts).toContainText(`Verify ${username}@example.org to get alerts.`)
  await alerts.getByRole('button', { name: 'Resend email' }).click()
  await expect(page.getByText(`We sent a new link to ${username}@example.org.`)).toBeVisible()
})

test('alerts of new devices can be turned off and on', async ({ page }) => {
  await enterVerified(page)
  await page.goto('/account/security')
  const toggle = page.getByRole('switch', { name: 'Email me about new devices' })
  await expect(toggle).toBeChecked()
  await toggle.click()
  await expect(page.getByText('New-device alerts are off.')).toBeVisible()
  await page.reload()
  await expect(toggle).not.toBeChecked()
})

test('the sheet uses the account’s language; the data is exported as one file', async ({ page, context }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/profile')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as file' }).click()
  const data = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
  expect(data).toMatchObject({ user: { username }, signInMethods: { password: true }, sessions: [{ current: true }] })

  // From here on nothing is in English.
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const choice = page.getByRole('combobox')
  await expect(choice).toHaveValue('de')
  await page.reload()
  await expect(choice).toHaveValue('de')
  await context.clearCookies()
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Anmelden' })).toBeVisible()
})

test('shows an error for the part that cannot be loaded, and the rest of the screen', { tag: '@both' }, async ({
  page,
  watch,
}) => {
  await enter(page, newName())
  const parts = /server\/auth\/(security|signInMethods|activity)(\?|$)/
  await page.route(parts, (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await page.goto('/account/security')
  await expect(page.getByRole('alert').filter({ hasText: 'This is not allowed today.' })).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'Sign-in methods' })).toBeVisible()
  await page.unroute(parts)
  for (const name of ['Alerts', 'Sign-in methods', 'Latest sign-ins']) {
    const part = page.getByRole('region', { name })
    await part.getByRole('button', { name: 'Try again' }).click()
    await expect(part.getByRole('alert')).toHaveCount(0)
  }
  await expect(page.getByRole('switch', { name: 'Email me about new devices' })).toBeVisible()
  expect(watch.refusals.length).toBe(3)
})

test('a switch moves at once, and back when the server refuses', async ({ page, watch }) => {
  await enterVerified(page)
  await page.goto('/account/security')
  const toggle = page.getByRole('switch', { name: 'Email me about new devices' })
  await expect(toggle).toBeChecked()
  let refuse = () => {}
  const held = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route('**/server/auth/security', async (route) => {
    await held
    await route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } })
  })
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  refuse()
  await expect(page.getByText('This is not allowed today.')).toBeVisible()
  await expect(toggle).toBeChecked()
  expect(watch.refusals.length).toBe(1)
})
