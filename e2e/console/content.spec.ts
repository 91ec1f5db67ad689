import type { Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function upload(page: Page, name: string, type: string, data: Buffer): Promise<string> {
  const { appId } = await (await page.request.get('/config.json')).json()
  const headers = { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey, 'Content-Type': type }
  return (await (await page.request.post(`/server/files/${name}`, { headers, data })).json()).name
}

test('an administrator finds a file, looks at a picture, and deletes it', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await upload(page, 'harbour.png', 'image/png', picture)
  await upload(page, 'notes.txt', 'text/plain', Buffer.from('some notes'))
  await page.goto('/admin/files')
  await expect(page.getByRole('heading', { name: 'notes.txt' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search files' }).fill('harbour')
  await page.getByRole('searchbox', { name: 'Search files' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'notes.txt' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Details: harbour.png' }).first().click()
  const preview = page.getByRole('img', { name: 'Preview of harbour.png' })
  await expect(preview).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  const count = await page.getByRole('list', { name: 'Files' }).getByRole('heading').count()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('File deleted')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('heading')).toHaveCount(count - 1)
})

test('an administrator adds, changes and deletes parameters of the application', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const name = `limit${Date.now()}`
  await page.goto('/admin/config')
  await page.getByRole('button', { name: 'Add parameter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Type').selectOption('Number')
  await dialog.getByLabel('Value').fill('many')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Not a valid value of type Number.')).toBeVisible()
  await dialog.getByLabel('Value').fill('25')
  await dialog.getByRole('switch', { name: 'Master key only' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  expect(await asMaster(page, 'GET', '/config')).toMatchObject({
    params: { [name]: 25 },
    masterKeyOnly: { [name]: true },
  })
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByRole('heading', { name })).toHaveCount(0)
})

test('an administrator reads the mails that the server keeps', async ({ page }) => {
  await enterAs(page, 'admin')
  const email = `${Date.now()}@example.com`
  await makeUser(page, { email })
  await asMaster(page, 'POST', '/requestPasswordReset', { email })
  await page.goto('/admin/mail')
  await expect(page.getByText(email)).toHaveCount(0)
  await page.getByRole('button', { name: 'Show emails' }).click()
  await expect(page.getByText(email).first()).toBeVisible()
  expect(await listViolations(page)).toEqual([])
})

test('a viewer reads files, parameters and token gates, changes none, and sees no mails', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'viewer')
  await upload(page, 'seen.txt', 'text/plain', Buffer.from('some notes'))
  await asMaster(page, 'PUT', '/config', { params: { shown: 'to all' } })
  await page.goto('/admin/files')
  await page.getByRole('button', { name: 'Details: seen.txt' }).first().click()
  await expect(page.getByText('Uploaded by', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await page.goto('/admin/config')
  await expect(page.getByRole('heading', { name: 'shown' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Add|Edit)/ })).toHaveCount(0)
  await page.goto('/admin/tokenGates')
  await expect(page.getByText('No token gates')).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.goto('/admin/mail')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('support finds none of these screens', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'support')
  for (const path of ['/admin/files', '/admin/config', '/admin/mail', '/admin/tokenGates']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
})
