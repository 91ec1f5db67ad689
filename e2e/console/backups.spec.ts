import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-backups-'))
  const server = await startServer({ masterKey, backup: { folder } })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
})

test('an administrator backs up, and sees that it was made', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/backups')
  await expect(page.getByText('Backups are not encrypted.')).toBeVisible()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText('Backup started')).toBeVisible()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await page
    .getByRole('button', { name: /^Details: / })
    .first()
    .click()
  await expect(page.getByText('SHA-256')).toBeVisible()
})

test('a viewer reads and begins none', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/backups')
  await expect(page.getByRole('heading', { name: 'Backups', level: 1 })).toBeVisible()
  await expect(page.getByText('Backups are not encrypted.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Back up now' })).toHaveCount(0)
})

test('support finds none of it', async ({ page }) => {
  await enterAs(page, 'support')
  await page.goto('/admin/backups')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the screen passes the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await inspectConsole(page, ['/admin/backups'])
})
