import { countClicks } from '../lib/steps/countClicks.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

test('task: why this user cannot read an object, in 3 clicks from its row', async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Note${Date.now()}`
  const { username } = await makeUser(page)
  const { objectId } = await asMaster(page, 'POST', `/classes/${className}`, { title: 'secret', ACL: {} })
  await page.goto(`/admin/data/${className}`)
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: `Open ${objectId}` }).click()
  await page.getByRole('link', { name: 'Test access' }).click()
  await page.getByLabel('User', { exact: true }).fill(username)
  await page.getByRole('button', { name: 'Test access' }).click()
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeVisible()
  await expect(page.getByText('Object access list (ACL)')).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(3)
})

test('task: add a field and an index, in 6 clicks', async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Made${Date.now()}`
  await asMaster(page, 'POST', `/schemas/${className}`, { className })
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  const clicks = await countClicks(page)
  const dialog = page.getByRole('dialog')
  const change = async (kind: string, fields: Record<string, string>) => {
    await page.getByRole('button', { name: `Edit ${className}` }).click()
    await dialog.getByLabel('Action').selectOption(kind)
    for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(text)
    await dialog.getByLabel('Name').press('Enter')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Schema' }).click()
  await page.getByRole('button', { name: `Details: ${className}` }).click()
  await change('addField', { Name: 'label' })
  await change('addIndex', { Name: 'byLabel', Fields: 'label' })
  expect(clicks()).toBeLessThanOrEqual(6)
  const { fields, indexes } = await asMaster(page, 'GET', `/schemas/${className}`)
  expect(fields.label).toMatchObject({ type: 'String' })
  expect(indexes.byLabel).toEqual({ label: 1 })
})

test('task: failed sign-ins of today, in 1 click', async ({ page }) => {
  await enterAs(page, 'admin')
  const { username } = await makeUser(page)
  await asMaster(page, 'POST', '/login', { username, password: 'a wrong one' })
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  const clicks = await countClicks(page)
  await page.getByRole('link', { name: 'Failed sign-ins today' }).click()
  await expect(page.getByRole('row').filter({ hasText: username })).toContainText('Failed')
  expect(clicks()).toBe(1)
})

test('task: filter and share, in 4 clicks; edit a cell and undo, in 2', async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Game${Date.now()}`
  for (const players of [1, 30]) await asMaster(page, 'POST', `/classes/${className}`, { players })
  await page.goto(`/admin/data/${className}`)
  await page.getByRole('grid').waitFor()
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Field' }).selectOption('players')
  await page.getByRole('combobox', { name: 'Condition' }).selectOption('above')
  await page.getByRole('textbox', { name: 'Value' }).fill('20')
  await page.locator('form').getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByText('1 object', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Views' }).click()
  const dialog = page.getByRole('dialog', { name: 'Views' })
  await dialog.getByLabel('Name').fill('crowded')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog.getByRole('link', { name: 'crowded' })).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(4)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const stored = async () => (await asMaster(page, 'GET', `/classes/${className}?order=-players`)).results[0].players
  const before = clicks()
  await page.locator('td[data-column="players"]').click()
  await page.keyboard.press('Enter')
  await page.getByLabel('Edit players').fill('31')
  await page.getByLabel('Edit players').press('Enter')
  await expect.poll(stored).toBe(31)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(stored).toBe(30)
  expect(clicks() - before).toBe(2)
})

test('task: import a CSV with five wrong rows, which are named', async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Row${Date.now()}`
  const fields = { name: { type: 'String' }, amount: { type: 'Number' } }
  await asMaster(page, 'POST', `/schemas/${className}`, { className, fields })
  await page.goto(`/admin/data/${className}`)
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const lines = Array.from({ length: 60 }, (_, place) => `row ${place},${place % 12 === 11 ? 'many' : place}`)
  const buffer = Buffer.from(['name,amount', ...lines].join('\n'))
  await dialog.getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
  await expect(dialog.getByText('55 rows to import')).toBeVisible()
  for (const row of [12, 24, 36, 48, 60]) await expect(dialog.getByText(`Row ${row}: amount: many`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByText('55 rows imported')).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(2)
  expect((await asMaster(page, 'GET', `/classes/${className}?count=1&limit=0`)).count).toBe(55)
})
