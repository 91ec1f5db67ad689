import { readFile } from 'node:fs/promises'
import { newName } from './lib/newName.ts'
import { signOut } from './lib/signOut.ts'
import { signUp } from './lib/signUp.ts'
import { expect, serve, test } from './lib/test.ts'

serve()

test('recovery codes are made once, kept, and open the account once each', async ({ page, context, watch }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const username = newName()
  await signUp(page, username)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Make codes' }).click()
  const dialog = page.getByRole('dialog')
  const items = dialog.getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allInnerTexts()
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
  await signUp(page, newName())
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
}) => {
  const username = newName()
  await signUp(page, username)
  await page.goto('/account/profile')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  const data = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
  expect(data).toMatchObject({ user: { username }, waysIn: { password: true }, sessions: [{ current: true }] })

  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByText('Your language is saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Language')).toHaveValue('de')
  await expect(page.getByText('No fields yet.')).toBeVisible()
  await signOut(page)
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Anmelden' })).toBeVisible()
})
