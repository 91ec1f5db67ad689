import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

test('an administrator rotates the keys and retires the former ones', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/keys')
  await expect(page.getByRole('heading', { name: 'Encryption secret' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(masterKey)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Rotate keys' }).click()
  await dialog.getByRole('button', { name: 'Rotate keys' }).click()
  await expect(page.getByText(/^Re-encrypted/)).toBeVisible({ timeout: 60_000 })
  // The master key is one of the configuration: the server makes no other.
  await expect(page.getByRole('region', { name: 'New master key' })).toHaveCount(0)
  await expect(page.getByText('Previous key still works')).toBeVisible()
  await page.getByRole('button', { name: 'Revoke previous keys' }).click()
  await dialog.getByRole('button', { name: 'Revoke previous keys' }).click()
  await expect(page.getByText('Previous key still works')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Rotate keys' })).toBeVisible()
  // The session of the operator is as good as before.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Encryption secret' })).toBeVisible()
})

test('a viewer sees which keys there are and rotates none', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/keys')
  await expect(page.getByRole('heading', { name: 'Encryption secret' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Rotate|^Revoke/ })).toHaveCount(0)
})

test('support finds none of it', async ({ page }) => {
  await enterAs(page, 'support')
  await page.goto('/admin/keys')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the screen passes the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await inspectConsole(page, ['/admin/keys'])
})
