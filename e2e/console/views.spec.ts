import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

test('a view is saved in four clicks, and other operators see it', { tag: '@both' }, async ({ page, browser }) => {
  await enterAs(page, 'admin')
  const className = `Game${Date.now()}`
  for (const players of [1, 30]) await asMaster(page, 'POST', `/classes/${className}`, { players })
  await page.goto(`/admin/data/${className}`)
  // A view that an earlier version kept in this browser.
  await page.evaluate(
    ([key = '', value = '']) => localStorage.setItem(key, value),
    [`countersign.console.views.${className}`, JSON.stringify([{ name: 'mine', search: '?order=players' }])],
  )
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const form = page.locator('form').filter({ has: page.getByRole('combobox', { name: 'Field' }) })
  await form.getByRole('combobox', { name: 'Field' }).selectOption('players')
  await form.getByRole('combobox', { name: 'Condition' }).selectOption('above')
  await form.getByRole('textbox', { name: 'Value' }).fill('20')
  await form.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  const dialog = page.getByRole('dialog', { name: 'Views' })
  const list = dialog.getByRole('list', { name: 'Views' })
  await dialog.getByLabel('Name').fill('crowded')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(list.getByRole('link', { name: 'crowded' })).toBeVisible()
  await dialog.getByLabel('Name').fill('crowded')
  await expect(dialog.getByRole('button', { name: 'Replace view' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Share mine' }).click()
  await expect(list.getByRole('link', { name: 'mine' })).toBeVisible()
  await expect(dialog.getByText('Only in this browser')).toHaveCount(0)
  expect(await listViolations(page)).toEqual([])

  const context = await browser.newContext()
  const other = await context.newPage()
  await enterAs(other, 'viewer')
  await other.goto(`/admin/data/${className}`)
  await other.getByRole('button', { name: 'Views' }).click()
  await expect(other.getByRole('dialog').getByRole('button', { name: /^Remove|^Save/ })).toHaveCount(0)
  await other.getByRole('dialog').getByRole('link', { name: 'crowded' }).click()
  await expect(other).toHaveURL(/where=/)
  await expect(other.getByText('1 object', { exact: true })).toBeVisible()
  await context.close()

  await dialog.getByRole('button', { name: 'Remove crowded' }).click()
  await expect(list.getByRole('link', { name: 'crowded' })).toHaveCount(0)
})
