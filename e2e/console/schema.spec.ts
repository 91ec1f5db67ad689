import { listViolations } from '../lib/listViolations.ts'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

// Every query counts as slow.
serve({ masterKey, slowQueries: { threshold: 0 } })

test('an administrator changes the permissions of a class', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await asMaster(page, 'POST', '/schemas/Guarded', { className: 'Guarded', fields: { text: { type: 'String' } } })
  await page.goto('/admin/schema')
  await page.getByRole('button', { name: 'Details: Guarded' }).click()
  const permissions = async () => (await asMaster(page, 'GET', '/schemas/Guarded')).classLevelPermissions
  const matrix = page.getByRole('region', { name: 'Permissions of Guarded' })
  await matrix.getByRole('checkbox', { name: 'delete: Everyone' }).click()
  await expect(page.getByText('Permissions changed')).toBeVisible()
  await expect(matrix.getByRole('checkbox', { name: 'delete: Everyone' })).not.toBeChecked()
  await matrix.getByRole('checkbox', { name: 'delete: Signed-in users' }).click()
  await expect.poll(async () => (await permissions()).delete).toEqual({ requiresAuthentication: true })
  expect(await permissions()).toMatchObject({ find: { '*': true }, create: { '*': true } })
  expect(await listViolations(page)).toEqual([])
})

test('permissions changed by somebody else are shown again, not overwritten', async ({ page }) => {
  await enterAs(page, 'admin')
  await asMaster(page, 'POST', '/schemas/Shared', { className: 'Shared', fields: { text: { type: 'String' } } })
  await page.goto('/admin/schema')
  await page.getByRole('button', { name: 'Details: Shared' }).click()
  const matrix = page.getByRole('region', { name: 'Permissions of Shared' })
  await expect(matrix.getByRole('checkbox', { name: 'create: Everyone' })).toBeChecked()
  const { classLevelPermissions } = await asMaster(page, 'GET', '/schemas/Shared')
  await asMaster(page, 'PUT', '/schemas/Shared', { classLevelPermissions: { ...classLevelPermissions, create: {} } })
  await matrix.getByRole('checkbox', { name: 'delete: Everyone' }).click()
  await expect(page.getByText(/Someone else changed these permissions/)).toBeVisible()
  await expect(matrix.getByRole('checkbox', { name: 'create: Everyone' })).not.toBeChecked()
  await expect(matrix.getByRole('checkbox', { name: 'delete: Everyone' })).toBeChecked()
})

test('a viewer reads the permissions and changes none', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/schema')
  await page.getByRole('button', { name: 'Details: _User' }).click()
  const matrix = page.getByRole('region', { name: 'Permissions of _User' })
  await expect(matrix.getByRole('checkbox').first()).toBeDisabled()
  await expect(matrix.locator('input:enabled')).toHaveCount(0)
})

test('an administrator makes a class, adds and deletes a field and an index, and deletes the class', {
  tag: '@both',
}, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Made${Date.now()}`
  const schema = () => asMaster(page, 'GET', `/schemas/${className}`)
  const dialog = page.getByRole('dialog')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  const apply = async () => {
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await preview.getByRole('button', { name: 'Apply' }).click()
    await expect(dialog).toHaveCount(0)
  }
  const change = async (kind: string) => {
    await page.getByRole('button', { name: `Edit ${className}` }).click()
    await dialog.getByLabel('Action').selectOption(kind)
  }
  await page.goto('/admin/schema')
  await page.getByRole('button', { name: 'New class' }).click()
  await dialog.getByLabel('Name').fill('9 wrong')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Name').fill(className)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(preview).toContainText(className)
  // Nothing has happened yet.
  expect((await schema()).code).toBe(103)
  await apply()
  await expect(page.getByText('Schema changed')).toBeVisible()
  await page.getByRole('button', { name: `Details: ${className}` }).click()

  await change('addField')
  await dialog.getByLabel('Name').fill('level')
  await dialog.getByLabel('Type').selectOption('Number')
  await dialog.getByLabel('Default value').fill('one')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('Not a valid value of type Number.')).toBeVisible()
  await dialog.getByLabel('Default value').fill('1')
  await dialog.getByRole('switch', { name: 'Required' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(preview.getByRole('region', { name: 'Schema file' })).toContainText('export default defineSchema({')
  expect(await listViolations(page)).toEqual([])
  await apply()
  expect((await schema()).fields.level).toEqual({ type: 'Number', required: true, defaultValue: 1 })
  await change('addIndex')
  await dialog.getByLabel('Name').fill('byLevel')
  await dialog.getByLabel('Fields').fill('level, -createdAt')
  await apply()
  expect((await schema()).indexes.byLevel).toEqual({ level: 1, createdAt: -1 })
  await change('deleteIndex')
  await dialog.getByLabel('Index').selectOption('byLevel')
  await apply()
  await change('deleteField')
  await dialog.getByLabel('Field', { exact: true }).selectOption('level')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('This deletes data permanently.')).toBeVisible()
  await apply()
  expect(Object.keys((await schema()).fields)).not.toContain('level')
  await change('deleteClass')
  await apply()
  await expect(page.getByRole('heading', { name: className })).toHaveCount(0)
  expect((await schema()).code).toBe(103)
})

test('a viewer is offered no change of a class; support finds no schema', async ({ page, browser, baseURL }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/schema')
  await page.getByRole('button', { name: 'Details: _User' }).click()
  await expect(page.getByRole('button', { name: /^New class|^Change/ })).toHaveCount(0)
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-GB' })
  const other = await context.newPage()
  await enterAs(other, 'support')
  await other.goto('/admin/schema')
  await expect(other.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await context.close()
})

test('an administrator sees a slow query with its plan, and adds the suggested index', {
  tag: '@both',
}, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Slow${Date.now()}`
  await asMaster(page, 'POST', `/classes/${className}`, { author: 'a secret', level: 1 })
  await page.goto('/admin/schema')
  const details = page.getByRole('button', { name: `Details: ${className}` })
  const section = page.getByRole('region', { name: `Suggested indexes of ${className}` })
  await details.click()
  await expect(section).toContainText('No query has taken longer than 0 ms')

  const where = encodeURIComponent(JSON.stringify({ author: 'a secret' }))
  await asMaster(page, 'GET', `/classes/${className}?where=${where}&order=-level`)
  await page.reload()
  await expect(page.getByRole('listitem').filter({ has: details })).toContainText('Index suggested')
  await details.click()
  await expect(section).toContainText('find where author = ? order -level')
  await expect(section).toContainText('Slow: 1')
  await expect(section).toContainText('{"author":1,"level":-1}')
  // By the keyboard alone.
  const plan = section.getByRole('button', { name: /^Query plan/ })
  await plan.press('Enter')
  await expect(plan).toHaveAttribute('aria-expanded', 'true')
  await expect(section.getByRole('region', { name: 'Query plan' })).toContainText(`on "${className}"`)
  await expect(page.getByText('a secret')).toHaveCount(0)
  expect(await listViolations(page)).toEqual([])

  await section.getByRole('button', { name: 'Add index byAuthorAndLevel' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toHaveValue('byAuthorAndLevel')
  await expect(dialog.getByLabel('Fields')).toHaveValue('author, -level')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('byAuthorAndLevel')
  const indexes = async () => (await asMaster(page, 'GET', `/schemas/${className}`)).indexes ?? {}
  expect(await indexes()).not.toHaveProperty('byAuthorAndLevel')
  await preview.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await indexes()).byAuthorAndLevel).toEqual({ author: 1, level: -1 })
  await expect(section).toContainText('No index would help')
  await expect(section.getByRole('button', { name: /^Add index/ })).toHaveCount(0)
})

test('a viewer sees slow queries and adds no index', async ({ page }) => {
  await enterAs(page, 'viewer')
  const className = `Seen${Date.now()}`
  await asMaster(page, 'POST', `/classes/${className}`, { level: 1 })
  await asMaster(page, 'GET', `/classes/${className}?order=level`)
  await page.goto('/admin/schema')
  await page.getByRole('button', { name: `Details: ${className}` }).click()
  const section = page.getByRole('region', { name: `Suggested indexes of ${className}` })
  await expect(section).toContainText('{"level":1}')
  await expect(section.getByRole('button', { name: /^Query plan/ })).toBeVisible()
  await expect(section.getByRole('button', { name: /^Add index/ })).toHaveCount(0)
})

test('the screen passes the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await inspectConsole(page, ['/admin/schema'])
})
