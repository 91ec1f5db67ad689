import { listViolations } from '../lib/listViolations.ts'
import { startServer } from '../lib/servers/startServer.mjs'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(() => startServer({ masterKey }))

test('the palette finds an object by its id, a setting and a page of the docs, and keeps recent places', {
  tag: '@both',
}, async ({ page }) => {
  const { objectId } = await asMaster(page, 'POST', '/classes/Deed', { title: 'x' })
  await enterAs(page, 'admin')
  const openConsole = async () => {
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  }
  await openConsole()
  const field = page.getByRole('combobox', { name: 'Search and commands' })
  const find = async (text: string, option: string | RegExp) => {
    await page.keyboard.press('Control+k')
    await field.fill(text)
    await expect(page.getByRole('option', { name: option }).first()).toBeVisible()
  }
  await find(objectId, `Deed: ${objectId}`)
  await page.getByRole('option', { name: `Deed: ${objectId}` }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/data/Deed\\?row=${objectId}`))
  await expect(page.getByRole('complementary').or(page.getByRole('dialog')).getByText(objectId).first()).toBeVisible()

  await openConsole()
  await find('logLevels', 'logLevels')
  await page.getByRole('option', { name: 'logLevels', exact: true }).click()
  await expect(page.getByRole('searchbox', { name: 'Search settings' })).toHaveValue('logLevels')

  // A setting is found by the title of its form, too.
  await find('rate limits', 'Rate limits · rateLimit')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
  await expect(recent).toHaveText(['logLevels', `Deed: ${objectId}`])
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Escape')

  await find('webhook signature', /Webhooks/)
  await page
    .getByRole('option', { name: /Webhooks/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/docs\//)
})

test('`?` lists the shortcuts of the console', async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog).toContainText('Select the row')
  await expect(dialog).toContainText('Run the SQL query')
  expect(await listViolations(page)).toEqual([])
})
