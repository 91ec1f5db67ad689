import { listViolations } from '../lib/listViolations.ts'
import { enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey, signUp: { mode: 'open' } })

test('an administrator changes a setting with the keyboard, and it holds at once', { tag: '@both' }, async ({
  page,
}) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/settings')
  const edit = page.getByRole('button', { name: 'Edit App name' })
  await edit.focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'App name' })
  await form.getByLabel('Name').fill('Harbour club')
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ has: edit })).toContainText('Last changed')
  await expect(edit).toBeFocused()
  expect((await (await page.request.get('/config.json')).json()).appName).toBe('Harbour club')

  await edit.click()
  await form.getByRole('button', { name: 'Undo last change' }).click()
  await expect(form).toBeHidden()
  expect((await (await page.request.get('/config.json')).json()).appName).toBe('Countersign')

  // An error is shown in the form, where the input still stands.
  await page.getByRole('button', { name: 'Edit Allowed origins' }).click()
  const origins = page.getByRole('form', { name: 'Allowed origins' })
  await origins.getByLabel('Pages that may use cookie sessions').fill('https://*.example')
  await origins.getByRole('button', { name: 'Save' }).click()
  await expect(origins.getByText(/The setting is not valid: allowOrigin\.0/)).toBeVisible()
  await expect(origins.getByLabel('Pages that may use cookie sessions')).toHaveValue('https://*.example')
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Escape')

  // The configuration file wins.
  const fixed = page.getByRole('listitem').filter({ hasText: 'New accounts' })
  await expect(fixed).toContainText('Configuration file')
  await expect(fixed.getByRole('button')).toHaveCount(0)
})

test('a viewer reads settings and changes none', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/settings')
  await expect(page.getByRole('heading', { name: 'Daily settings' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(0)
})
