import { listViolations } from '../lib/listViolations.ts'
import { startMailServer } from '../lib/servers/startMailServer.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(async () => {
  const mails = await startMailServer()
  const server = await startServer({ masterKey, smtp: { url: mails.url, from: 'us@example.com' } })
  return {
    ...server,
    stop: async () => {
      await server.stop()
      await mails.stop()
    },
  }
})

test('an administrator sees the results of mails sent by SMTP', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const name = `${Date.now()}@example.com`
  await makeUser(page, { email: `taken-${name}` })
  await makeUser(page, { email: `refused-${name}` })
  const logged = async () => (await asMaster(page, 'GET', `/console/mail?search=${name}`)).results.length
  await expect.poll(logged).toBe(2)
  await page.goto('/admin/mail')
  const list = page.getByRole('list', { name: 'Emails' })
  const row = (address: string) => list.getByRole('listitem').filter({ hasText: address })
  await expect(row(`taken-${name}`)).toContainText('Sent')
  await expect(row(`taken-${name}`)).toContainText('Email verification')
  await expect(row(`refused-${name}`)).toContainText('Failed')
  await row(`refused-${name}`)
    .getByRole('button', { name: /^Details/ })
    .press('Enter')
  await expect(row(`refused-${name}`)).toContainText('no such mailbox')
  expect(await listViolations(page)).toEqual([])

  await page.getByLabel('Result').selectOption('failed')
  await expect(row(`taken-${name}`)).toHaveCount(0)
  await expect(row(`refused-${name}`)).toBeVisible()
  await page.getByLabel('Result').selectOption('all')
  await page.getByRole('searchbox', { name: 'Search emails' }).fill('nobody at all')
  await page.getByRole('searchbox', { name: 'Search emails' }).press('Enter')
  await expect(page.getByText('No emails')).toBeVisible()
})

test('the screen passes the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await makeUser(page, { email: `seen-${Date.now()}@example.com` })
  await inspectConsole(page, ['/admin/mail'])
})
