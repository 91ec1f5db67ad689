import { readFile } from 'node:fs/promises'
import { listViolations } from '../lib/listViolations.ts'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(() => startServer({ masterKey, accountLockout: { threshold: 3, duration: 5 } }))

test('failed sign-ins of today are one click from the overview', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const { username, objectId } = await makeUser(page)
  await asMaster(page, 'POST', '/login', { username, password: 'a wrong one' })
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Failed sign-ins today' }).click()
  const table = page.getByRole('table')
  const row = table.getByRole('row').filter({ hasText: username })
  await expect(row).toContainText('Failed')
  await expect(row).toContainText('Wrong name or password')
  await expect(page.getByLabel('Result')).toHaveValue('failed')
  expect(await listViolations(page)).toEqual([])

  await page.getByLabel('Result').selectOption('')
  await page.getByRole('textbox', { name: 'User' }).fill(username)
  await page.getByRole('textbox', { name: 'User' }).press('Enter')
  await expect(table.getByRole('row').filter({ hasText: 'Succeeded' })).toHaveCount(1)
  await expect(table.getByRole('row')).toHaveCount(3)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(3)
  expect(text).toContain(`${objectId},${username},password,failed,invalidCredentials,1`)
  await page.getByLabel('Method').selectOption('passkey')
  await expect(page.getByText('No sign-ins')).toBeVisible()
  await page.getByLabel('Method').selectOption('')
  await table.getByRole('link', { name: username }).first().click()
  await expect(page).toHaveURL(new RegExp(`/admin/users/${objectId}$`))
})

test('a lockout is lifted by its button', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const { username } = await makeUser(page)
  for (let times = 0; times < 3; times++)
    await asMaster(page, 'POST', '/login', { username, password: `wrong ${times}` })
  await page.goto('/admin/signIns?show=limits')
  const row = page.getByRole('list', { name: 'Lockouts' }).getByRole('listitem').filter({ hasText: username })
  await expect(row).toContainText('3 failed sign-ins')
  expect(await listViolations(page)).toEqual([])
  await row.getByRole('button', { name: `Lift the limit of ${username}` }).press('Enter')
  await expect(page.getByText('Limit lifted')).toBeVisible()
  await expect(row).toHaveCount(0)
  await inspectConsole(page, ['/admin/signIns', '/admin/signIns?show=limits'])
})
