import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

async function makeClass(page: Page): Promise<string> {
  const className = `Thing${Date.now()}`
  const type = (name: string) => ({ type: name })
  const fields = {
    ...{ name: type('String'), amount: type('Number'), flag: type('Boolean'), day: type('Date') },
    ...{ details: type('Object'), list: type('Array'), place: type('GeoPoint') },
    owner: { type: 'Pointer', targetClass: '_User' },
  }
  await asMaster(page, 'POST', `/schemas/${className}`, { className, fields })
  return className
}

test('an administrator adds, edits every type, filters, sorts and deletes', { tag: ['@both', '@main'] }, async ({
  page,
}) => {
  const { objectId: userId } = await enterAs(page, 'admin')
  const className = await makeClass(page)
  await asMaster(page, 'POST', `/classes/${className}`, { name: 'first', amount: 1 })
  const stored = async (name: string) =>
    (await asMaster(page, 'GET', `/classes/${className}?order=-createdAt`)).results[0]?.[name]
  await page.goto('/admin/data')
  await page.getByRole('link', { name: className, exact: true }).click()
  await expect(page.getByRole('heading', { name: className, level: 1 })).toBeVisible()
  await expect(page.getByText('1 object', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add row' }).click()
  await expect(page.getByText('2 objects', { exact: true })).toBeVisible()

  const dialog = page.getByRole('dialog')
  const rows = page.getByRole('row')
  const edit = async (field: string, value: string) => {
    await rows
      .nth(1)
      .getByRole('button', { name: `Edit ${field}:` })
      .click()
    const box = dialog.locator('input, textarea, select').first()
    if (field === 'flag') await box.selectOption(value)
    else await box.fill(value)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  const cases: [field: string, text: string, value: unknown][] = [
    ['name', 'second', 'second'],
    ['amount', '4.5', 4.5],
    ['flag', 'false', false],
    ['day', '2031-01-31T12:00:00Z', { __type: 'Date', iso: '2031-01-31T12:00:00.000Z' }],
    ['details', '{ "a": [1] }', { a: [1] }],
    ['list', '[1, "two"]', [1, 'two']],
    ['place', '48.2, 16.37', { __type: 'GeoPoint', latitude: 48.2, longitude: 16.37 }],
    ['owner', userId, { __type: 'Pointer', className: '_User', objectId: userId }],
    ['ACL', '{ "*": { "read": true } }', { '*': { read: true } }],
  ]
  for (const [field, text, value] of cases) {
    await edit(field, text)
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => stored(field), field).toEqual(value)
  }
  await edit('amount', 'many')
  await expect(dialog.getByText('Not a valid value of type Number.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Field' }).selectOption('amount')
  await page.getByRole('combobox', { name: 'Condition' }).selectOption('above')
  await page.getByRole('textbox', { name: 'Value' }).fill('3')
  await expect(page.getByRole('region', { name: 'Code' })).toContainText('{"amount":{"$gt":3}}')
  await page.locator('form').getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByText('1 object', { exact: true })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.locator('form').getByRole('button', { name: 'Remove' }).click()
  await page.locator('form').getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByText('2 objects', { exact: true })).toBeVisible()
  await page.getByRole('columnheader', { name: 'amount' }).getByRole('button').click()
  await expect(rows.nth(1)).toContainText('first')

  // Rows of others appear automatically.
  await asMaster(page, 'POST', `/classes/${className}`, { name: 'third', amount: 0 })
  await expect(page.getByText('3 objects', { exact: true })).toBeVisible({ timeout: 60_000 })
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'As CSV' }).click()
  expect((await saved).suggestedFilename()).toBe(`${className}.csv`)

  await rows.nth(1).getByRole('checkbox').check()
  await rows.nth(2).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete rows (2)' }).click()
  await dialog.getByRole('textbox').fill(className)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('2 rows deleted')).toBeVisible()
  await expect(page.getByText('1 object', { exact: true })).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByText('Change undone')).toBeVisible()
  await expect(page.getByText('3 objects', { exact: true })).toBeVisible()
})

test('an edit is undone, rows are changed together, and a view is kept', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  const { objectId } = await asMaster(page, 'POST', `/classes/${className}`, { name: 'first', amount: 1 })
  await asMaster(page, 'POST', `/classes/${className}`, { name: 'second', amount: 2 })
  const stored = async () => (await asMaster(page, 'GET', `/classes/${className}/${objectId}`)).name
  await page.goto(`/admin/data/${className}?order=amount`)
  const rows = page.getByRole('row')
  const dialog = page.getByRole('dialog')
  await rows.nth(1).getByRole('button', { name: 'Edit name:' }).click()
  await dialog.locator('textarea').fill('changed')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(stored).toBe('changed')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(stored).toBe('first')

  await rows.nth(1).getByRole('checkbox').check()
  await page.getByLabel('All 2 rows in this view').check()
  await page.getByRole('button', { name: 'Edit rows (2)' }).click()
  await dialog.getByLabel('Field').selectOption('amount')
  await dialog.getByLabel('Number').fill('7')
  await dialog.getByRole('button', { name: 'Update 2 rows' }).click()
  await expect(page.getByText('2 rows updated')).toBeVisible()
  const amounts = async () =>
    (await asMaster(page, 'GET', `/classes/${className}?order=name`)).results.map(
      ({ amount }: { amount: number }) => amount,
    )
  expect(await amounts()).toEqual([7, 7])
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(amounts).toEqual([1, 2])

  await page.getByRole('button', { name: 'Views' }).click()
  await dialog.getByLabel('Name').fill('by amount')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.goto(`/admin/data/${className}`)
  await page.getByRole('button', { name: 'Views' }).click()
  await dialog.getByRole('link', { name: 'by amount' }).click()
  await expect(page).toHaveURL(/order=amount/)
})

test('rows are imported with a report of those that cannot be, and exported again', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  await page.goto(`/admin/data/${className}`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const lines = Array.from({ length: 120 }, (_, place) => `row ${place},${place}`)
  const buffer = Buffer.from(['name,amount', ...lines, 'odd,many'].join('\n'))
  await dialog.getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
  await expect(dialog.getByText('120 rows to import')).toBeVisible()
  await expect(dialog.getByText('Row 121: amount: many')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByText('120 rows imported')).toBeVisible({ timeout: 30_000 })
  expect(await listViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('120 objects', { exact: true })).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'As JSON' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(JSON.parse(text).results).toHaveLength(120)
})

test('a pointer is found by a text, and a relation is shown and changed', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  const target = `Target${Date.now()}`
  const { objectId } = await asMaster(page, 'POST', `/classes/${target}`, { title: 'Lighthouse' })
  await asMaster(page, 'PUT', `/schemas/${className}`, {
    fields: { house: { type: 'Pointer', targetClass: target }, houses: { type: 'Relation', targetClass: target } },
  })
  const { objectId: row } = await asMaster(page, 'POST', `/classes/${className}`, { name: 'first' })
  await page.goto(`/admin/data/${className}?hide=list,place,details,day,flag,amount,ACL,owner`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit house:' }).click()
  await dialog.getByLabel('Find an object').fill('Light')
  await dialog.getByLabel('Find an object').press('Enter')
  await dialog.getByRole('list', { name: 'Results' }).getByRole('button', { name: 'Lighthouse' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await asMaster(page, 'GET', `/classes/${className}/${row}`)).house?.objectId)
    .toBe(objectId)
  await page.getByRole('button', { name: 'Edit houses:' }).click()
  await expect(dialog.getByText('No objects')).toBeVisible()
  await dialog.getByLabel('Add object').fill(objectId)
  await dialog.getByLabel('Add object').press('Enter')
  await dialog.getByRole('list', { name: 'Results' }).getByRole('button', { name: 'Lighthouse' }).click()
  await expect(dialog.getByRole('list', { name: 'houses' }).getByText('Lighthouse')).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: `Remove ${objectId}` }).click()
  await expect(dialog.getByText('No objects')).toBeVisible()
})

test('a viewer reads, and is offered no change', async ({ page }) => {
  await enterAs(page, 'viewer')
  const className = await makeClass(page)
  await asMaster(page, 'POST', `/classes/${className}`, { name: 'first' })
  await page.goto(`/admin/data/${className}`)
  await expect(page.getByRole('cell', { name: 'first' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit|^Add row/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('a row of many is reached by its number', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Long${Date.now()}`
  for (let begin = 0; begin < 1_050; begin += 50) {
    const requests = Array.from({ length: 50 }, (_, place) => ({
      method: 'POST',
      path: `/server/classes/${className}`,
      body: { number: begin + place + 1 },
    }))
    await asMaster(page, 'POST', '/batch', { requests })
  }
  await page.goto(`/admin/data/${className}?order=number`)
  const row = (number: number) => page.locator(`tr[aria-rowindex="${number + 1}"]`)
  await expect(row(1)).toContainText('1')
  await expect(row(1_040)).toHaveCount(0)
  await page.getByRole('spinbutton', { name: 'Row number' }).fill('1040')
  await page.getByRole('button', { name: 'Go to row' }).press('Enter')
  await expect(row(1_040)).toContainText('1040')
  await expect(row(1)).toHaveCount(0)
  await page.getByRole('spinbutton', { name: 'Row number' }).fill('1')
  await page.getByRole('spinbutton', { name: 'Row number' }).press('Enter')
  await expect(row(1)).toContainText('1')
})
