import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

/** A picture of one point, as PNG in base64. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function makeClass(page: Page, more: object = {}): Promise<string> {
  const className = `Thing${Date.now()}`
  const type = (name: string) => ({ type: name })
  const fields = {
    ...{ name: type('String'), amount: type('Number'), flag: type('Boolean'), day: type('Date') },
    ...{ details: type('Object'), list: type('Array'), place: type('GeoPoint') },
    owner: { type: 'Pointer', targetClass: '_User' },
    ...more,
  }
  await asMaster(page, 'POST', `/schemas/${className}`, { className, fields })
  return className
}

const cellOf = (row: Locator, name: string) => row.locator(`td[data-column="${name}"]`)

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
  const inline = ['name', 'amount', 'flag', 'day']
  const edit = async (field: string, value: string) => {
    await cellOf(rows.nth(1), field).dblclick()
    if (inline.includes(field)) {
      const box = page.getByLabel(`Edit ${field}`, { exact: true })
      if (field === 'flag') await box.selectOption(value)
      else await box.fill(value)
      await box.press('Enter')
      return
    }
    if (field === 'owner') await dialog.getByLabel('Pointer <_User>').fill(value)
    else await dialog.locator('input, textarea').first().fill(value)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  const cases: [field: string, text: string, value: unknown][] = [
    ['name', 'second', 'second'],
    ['amount', '4.5', 4.5],
    ['flag', 'false', false],
    ['day', '2031-01-31T12:00:00', { __type: 'Date', iso: '2031-01-31T12:00:00.000Z' }],
    ['details', '{ "a": [1] }', { a: [1] }],
    ['list', '[1, "two"]', [1, 'two']],
    ['place', '48.2, 16.37', { __type: 'GeoPoint', latitude: 48.2, longitude: 16.37 }],
    ['owner', userId, { __type: 'Pointer', className: '_User', objectId: userId }],
  ]
  for (const [field, text, value] of cases) {
    await edit(field, text)
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => stored(field), field).toEqual(value)
  }
  await cellOf(rows.nth(1), 'details').dblclick()
  await dialog.getByRole('textbox').fill('{\n  "a": 1\n  "b": 2\n}')
  await expect(dialog.getByText('Not valid JSON: line 3, column 3')).toBeVisible()
  await page.keyboard.press('Escape')
  await edit('amount', 'many')
  await expect(page.getByTitle('Not a valid value of type Number.')).toBeFocused()
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
  await page.locator('th[data-column="amount"]').getByRole('button').first().click()
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

test('access, files and pointers have editors of their own', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = await makeClass(page, { picture: { type: 'File' } })
  const { objectId: userId, username } = await makeUser(page)
  const role = `crew${Date.now()}`
  await asMaster(page, 'POST', '/roles', { name: role, ACL: {} })
  const { objectId } = await asMaster(page, 'POST', `/classes/${className}`, { name: 'first' })
  const stored = async (name: string) => (await asMaster(page, 'GET', `/classes/${className}/${objectId}`))[name]
  await page.goto(`/admin/data/${className}?row=${objectId}`)
  const edit = async (name: string) => {
    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
    return page.getByRole('dialog', { name, exact: true })
  }

  const access = await edit('ACL')
  await expect(access.getByText('Master key only')).toBeVisible()
  await access.getByRole('button', { name: 'Add everyone' }).click()
  await access.getByLabel('Find a user').fill(username)
  await access.getByLabel('Find a user').press('Enter')
  await access.getByRole('button', { name: username }).click()
  await access.getByLabel(`${username} can write`).check()
  await access.getByLabel('Find a role').fill(role)
  await access.getByLabel('Find a role').press('Enter')
  await access.getByRole('button', { name: role, exact: false }).first().click()
  await access.getByLabel(`Role ${role} can read`).uncheck()
  await access.getByLabel(`Role ${role} can write`).check()
  expect(await listViolations(page)).toEqual([])
  await access.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => stored('ACL'))
    .toEqual({ '*': { read: true }, [userId]: { read: true, write: true }, [`role:${role}`]: { write: true } })

  const picture = await edit('picture')
  const buffer = Buffer.from(dot, 'base64')
  await picture.getByLabel('File').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer })
  await expect(picture.getByRole('img', { name: 'Preview of dot.png' })).toBeVisible()
  await picture.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await stored('picture'))?.name).toMatch(/^[0-9a-f]{32}_dot\.png$/)

  const owner = await edit('owner')
  await owner.getByLabel('Find an object').fill(username)
  await owner.getByLabel('Find an object').press('Enter')
  await owner.getByRole('button', { name: username }).click()
  await expect(owner.getByRole('link', { name: username })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await owner.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await stored('owner'))?.objectId).toBe(userId)
})

test('an edit is undone, and rows are changed together', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  const { objectId } = await asMaster(page, 'POST', `/classes/${className}`, { name: 'first', amount: 1 })
  await asMaster(page, 'POST', `/classes/${className}`, { name: 'second', amount: 2 })
  const stored = async () => (await asMaster(page, 'GET', `/classes/${className}/${objectId}`)).name
  await page.goto(`/admin/data/${className}?order=amount`)
  const rows = page.getByRole('row')
  const dialog = page.getByRole('dialog')
  await cellOf(rows.nth(1), 'name').dblclick()
  await page.getByLabel('Edit name').fill('changed')
  await page.getByLabel('Edit name').press('Enter')
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

test('an import shows its columns first; stopped, it goes on without duplicates, or is undone', async ({
  page,
  watch,
}) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  await page.goto(`/admin/data/${className}`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const lines = Array.from({ length: 400 }, (_, place) => `row ${place},${place},${place % 2}`)
  const buffer = Buffer.from(['name,amount,shelf', ...lines].join('\n'))
  await dialog.getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('columnheader')).toHaveText(['nameString', 'amountNumber', 'shelfStringNew field'])
  await expect(preview.getByRole('row')).toHaveCount(6)
  expect(await listViolations(page)).toEqual([])

  // The second batch is stored, and its response is lost.
  let batches = 0
  await page.route('**/server/batch', async (route) => {
    if (++batches !== 2) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByText('Import stopped')).toBeVisible()
  await expect(dialog.getByText('50 of 400 rows are imported. Rows not sent yet: 350.')).toBeVisible()
  const count = async () => (await asMaster(page, 'GET', `/classes/${className}?count=1&limit=0`)).count
  expect(await count()).toBe(100)

  // Stopped by hand: the batch on its way is finished and counted.
  await page.unroute('**/server/batch')
  await page.route('**/server/batch', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Continue import' }).click()
  await expect(dialog.getByText('100 of 400')).toBeVisible()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect(dialog.getByText('Import stopped')).toBeVisible()
  const shown = Number(/(\d+) of 400 rows/.exec(await dialog.getByText(/rows are imported/).innerText())?.[1])
  expect(shown).toBeLessThan(400)
  expect(await count()).toBe(shown)
  await page.unroute('**/server/batch')
  await dialog.getByRole('button', { name: 'Continue import' }).click()
  await expect(dialog.getByText('400 rows imported')).toBeVisible()
  expect(await count()).toBe(400)
  await page.unroute('**/server/batch')
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await expect(dialog.getByText('Import undone')).toBeVisible({ timeout: 90_000 })
  expect(await count()).toBe(0)
  watch.faults.length = 0
})

test('a filter is always in sight, can be taken off, and takes no empty number', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  for (const amount of [1, 30]) await asMaster(page, 'POST', `/classes/${className}`, { name: 'a', amount })
  await page.goto(`/admin/data/${className}`)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const form = page.locator('form').filter({ has: page.getByRole('combobox', { name: 'Field' }) })
  await form.getByRole('combobox', { name: 'Field' }).selectOption('amount')
  await form.getByRole('combobox', { name: 'Condition' }).selectOption('above')
  await form.getByRole('button', { name: 'Filter' }).click()
  await expect(form.getByRole('alert')).toHaveText('Not a valid value of type Number.')
  expect(page.url()).not.toContain('where')
  await form.getByRole('textbox', { name: 'Value' }).fill('20')
  await form.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByText('1 object', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Filter (1)' }).click()
  await expect(form).toHaveCount(0)
  const chips = page.getByRole('list', { name: 'Filter' })
  await expect(chips.getByText('amount > 20')).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('checkbox').last().check()
  await expect(page.getByRole('button', { name: 'Delete rows (1)' })).toBeVisible()
  await chips.getByRole('button', { name: 'Remove filter: amount > 20' }).click()
  await expect(page.getByText('2 objects', { exact: true })).toBeVisible()
  // Rows picked under another filter are no longer selected.
  await expect(page.getByRole('button', { name: /^Delete rows/ })).toHaveCount(0)
  await page.goto(
    `/admin/data/${className}?where=${encodeURIComponent('[{"field":"amount","operator":"above","value":"99"}]')}`,
  )
  await expect(page.getByText('No objects match this filter')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear filter' }).last().click()
  await expect(page.getByText('2 objects', { exact: true })).toBeVisible()
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
  await cellOf(page.getByRole('row').nth(1), 'house').dblclick()
  await dialog.getByLabel('Find an object').fill('Light')
  await dialog.getByLabel('Find an object').press('Enter')
  await dialog.getByRole('list', { name: 'Results' }).getByRole('button', { name: 'Lighthouse' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await asMaster(page, 'GET', `/classes/${className}/${row}`)).house?.objectId)
    .toBe(objectId)
  await cellOf(page.getByRole('row').nth(1), 'houses').dblclick()
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
  await expect(page.getByRole('gridcell', { name: 'first' })).toBeVisible()
  await page.getByRole('gridcell', { name: 'first' }).dblclick()
  await expect(page.getByLabel('Edit name')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Edit|^Add row/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('the grid is used with the keyboard alone: one tab stop, edit, ranges, copy and paste, undo', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  for (const amount of [1, 2, 3]) await asMaster(page, 'POST', `/classes/${className}`, { name: `n${amount}`, amount })
  await page.goto(`/admin/data/${className}?order=amount&hide=flag,day,details,list,place,owner,ACL`)
  const grid = page.getByRole('grid', { name: className })
  const rows = page.getByRole('row')
  await expect(rows).toHaveCount(4)
  const box = await rows.nth(1).boundingBox()
  expect(box?.height).toBe(32)
  const active = () =>
    grid.evaluate((table) => document.getElementById(table.getAttribute('aria-activedescendant') ?? '')?.textContent)
  await page.getByRole('button', { name: 'Import' }).focus()
  await page.keyboard.press('Tab')
  await expect(grid).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await active()).toBe('n1')
  await page.keyboard.press('Enter')
  await page.getByLabel('Edit name').fill('first')
  await page.keyboard.press('Tab')
  await expect(grid).toBeFocused()
  await expect(cellOf(rows.nth(1), 'name')).toHaveText('first')
  expect(await active()).toBe('1')
  await page.keyboard.press('Enter')
  await page.getByLabel('Edit amount').fill('9')
  await page.keyboard.press('Escape')
  await expect(cellOf(rows.nth(1), 'amount')).toHaveText('1')

  // Two rows of one column, copied below.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+v')
  await expect(cellOf(rows.nth(2), 'name')).toHaveText('first')
  await expect(cellOf(rows.nth(3), 'name')).toHaveText('n2')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await expect(cellOf(rows.nth(3), 'name')).toHaveText('n3')
  await grid.focus()
  await page.evaluate(() => navigator.clipboard.writeText('many'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+v')
  await expect(page.getByText('Nothing pasted. Not a valid value: amount: many')).toBeVisible()

  // Rows are selected by Shift and Space, all of them by the head; nothing moves.
  const top = async () => (await grid.boundingBox())?.y
  const before = await top()
  await page.keyboard.press('Shift+Space')
  await expect(page.getByRole('button', { name: 'Delete rows (1)' })).toBeVisible()
  expect(await top()).toBe(before)
  await page.getByRole('checkbox', { name: 'Select all rows in this view' }).check()
  await expect(page.getByRole('button', { name: 'Delete rows (3)' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()

  // Columns are pinned, moved and resized, and stay so.
  const menu = async (name: string, act: string) => {
    await page.getByRole('button', { name: `Column ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  const heads = () =>
    page.locator('th[data-column]').evaluateAll((all) => all.map((each) => each.getAttribute('data-column')))
  await menu('amount', 'Pin column')
  await expect.poll(heads).toEqual(['amount', 'objectId', 'name', 'createdAt', 'updatedAt'])
  await menu('name', 'Move column back')
  await expect.poll(heads).toEqual(['amount', 'name', 'objectId', 'createdAt', 'updatedAt'])
  const handle = await page.locator('[data-resize="name"]').boundingBox()
  const widthOf = async () => (await page.locator('th[data-column="name"]').boundingBox())?.width ?? 0
  const wide = await widthOf()
  await page.mouse.move((handle?.x ?? 0) + 3, (handle?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.move((handle?.x ?? 0) + 83, (handle?.y ?? 0) + 10)
  await page.mouse.up()
  await expect.poll(widthOf).toBe(wide + 80)
  await page.reload()
  await expect.poll(heads).toEqual(['amount', 'name', 'objectId', 'createdAt', 'updatedAt'])
  expect(await widthOf()).toBe(wide + 80)
  expect(await listViolations(page)).toEqual([])
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

test('rows stay while another order is read, which begins at its first row, and the grid keeps the focus', async ({
  page,
}) => {
  await enterAs(page, 'admin')
  const className = await makeClass(page)
  const requests = Array.from({ length: 150 }, (_, amount) => ({
    method: 'POST',
    path: `/server/classes/${className}`,
    body: { name: 'a', amount },
  }))
  for (let first = 0; first < requests.length; first += 50)
    await asMaster(page, 'POST', '/batch', { requests: requests.slice(first, first + 50) })
  await page.goto(`/admin/data/${className}?order=amount`)
  const grid = page.getByRole('grid')
  const amounts = page.locator('td[data-column="amount"]')
  await expect(amounts.first()).toHaveText('0')
  await grid.press('Control+End')
  await expect(amounts.last()).toHaveText('149')

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/server/classes/**', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('columnheader', { name: 'amount' }).getByRole('button').first().click()
  await expect(page.locator('section[aria-busy="true"]')).toBeVisible()
  await expect(amounts.first()).toHaveText('0')
  release()
  await expect(amounts.first()).toHaveText('149')
  await expect(page.locator('section[aria-busy="false"]')).toBeVisible()
  await expect(grid).toBeFocused()
  await page.unroute('**/server/classes/**')
})
