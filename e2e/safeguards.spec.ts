import { readFile } from 'node:fs/promises'
import { enter } from './lib/enter.ts'
import { newName } from './lib/newName.ts'
import { password } from './lib/password.mjs'
import { signOut } from './lib/signOut.ts'
import { expect, serve, test } from './lib/test.ts'

serve()

test('recovery codes are made once, kept, and open the account once each', { tag: '@both' }, async ({
  page,
  context,
  watch,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const username = newName()
  await enter(page, username)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Make codes' }).click()
  const dialog = page.getByRole('dialog')
  const items = dialog.getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allInnerTexts()
  // Whoever pressed twice has not shut what is shown once.
  await page.keyboard.press('Enter')
  await expect(items).toHaveCount(10)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('The codes are copied.')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  for (const code of codes) expect(copied).toContain(code)
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(await readFile(await (await saving).path(), 'utf8')).toContain(codes.join('\n'))
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await page.reload()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expect(page.getByText(codes[0] ?? '')).toBeHidden()

  await signOut(page)
  await page.goto('/sign-in?next=%2Faccount%2Fsecurity')
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  // Both screens ask for a name.
  await expect(page.getByRole('heading', { name: 'Use a recovery code' })).toBeVisible()
  const fill = async (code: string) => {
    await page.getByLabel('User name or e-mail').fill(username)
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(code)
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
  }
  await fill('wrong-code')
  await expect(page.getByRole('alert')).toContainText('does not fit that name')
  await fill(codes[3] ?? '')
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByText('9 of 10 left')).toBeVisible()
  expect(watch.refusals.length).toBe(1)
})

test('alerts of new devices can be turned off and on', async ({ page }) => {
  await enter(page, newName())
  await page.goto('/account/security')
  const toggle = page.getByRole('switch', { name: 'Tell me of new devices' })
  await expect(toggle).toBeChecked()
  await toggle.click()
  await expect(page.getByText('New devices come unannounced.')).toBeVisible()
  await page.reload()
  await expect(toggle).not.toBeChecked()
})

test('the language goes with the account and the sheet speaks it; the data is exported as one file', async ({
  page,
  context,
}) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/profile')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  const data = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
  expect(data).toMatchObject({ user: { username }, waysIn: { password: true }, sessions: [{ current: true }] })

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

test('what cannot be loaded says so by itself, and the rest of the screen stands', { tag: '@both' }, async ({
  page,
  watch,
}) => {
  await enter(page, newName())
  const parts = /server\/auth\/(security|passkeys|activity)(\?|$)/
  await page.route(parts, (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await page.goto('/account/security')
  await expect(page.getByRole('alert').filter({ hasText: 'This is not allowed today.' })).toHaveCount(3)
  await expect(page.getByLabel('Current password', { exact: true })).toBeVisible()
  await page.unroute(parts)
  for (let left = 3; left > 0; left--) {
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(page.getByRole('alert')).toHaveCount(left - 1)
  }
  await expect(page.getByRole('switch', { name: 'Tell me of new devices' })).toBeVisible()
  expect(watch.refusals.length).toBe(3)
})

test('a switch moves at once, and back when the server refuses', async ({ page, watch }) => {
  await enter(page, newName())
  await page.goto('/account/security')
  const toggle = page.getByRole('switch', { name: 'Tell me of new devices' })
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

test('whoever wants to may confirm beforehand', async ({ page }) => {
  await enter(page, newName())
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Confirm now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText(/^Confirmed until/)).toBeVisible()
  await expect(dialog).toBeHidden()
})
