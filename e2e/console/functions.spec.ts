import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listViolations } from '../lib/listViolations.ts'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

const code = `Parse.Cloud.job('clean', ({ message }) => message('All clean'))
Parse.Cloud.define('greet', ({ params, master }) => params.name + ', ' + params.times + ', ' + master, {
  fields: { name: { type: String, required: true }, times: { type: Number } },
})
Parse.Cloud.define('fail', () => { throw new Parse.Error(141, 'It broke.') })
`

serveBy(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  const cloud = join(folder, 'cloud.js')
  await writeFile(cloud, code)
  const server = await startServer({ masterKey, cloud })
  return {
    url: server.url,
    stop: async () => void (await Promise.all([server.stop(), rm(folder, { recursive: true })])),
  }
})

test('an administrator runs a function by a form, and sees its result and errors', { tag: '@both' }, async ({
  page,
}) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/functions')
  await page.getByRole('button', { name: 'Details: greet' }).click()
  await page.getByLabel('times').fill('many')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('Not a valid value of type number.')).toBeVisible()
  await page.getByLabel('name').fill('Ada')
  await page.getByLabel('times').fill('2')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Result of greet' })).toContainText('Ada, 2, true')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await page.getByLabel('JSON').fill('{ "name": "Grace", "times": 3 }')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Result of greet' })).toContainText('Grace, 3, true')
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Details: greet' }).click()
  await page.getByRole('button', { name: 'Details: fail' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: '141: It broke.' })).toBeVisible()
})

test('an administrator runs a job, plans it, and reads webhooks and the log', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/functions?show=jobs')
  await page.getByRole('button', { name: 'Run clean' }).click()
  await expect(page.getByText('Job started')).toBeVisible()
  await expect(page.getByText('All clean').first()).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Details: clean' }).first().click()
  const schedules = page.getByRole('region', { name: 'Schedules of clean' })
  const form = page.getByRole('dialog')
  await schedules.getByRole('button', { name: 'New schedule' }).click()
  await form.getByLabel('Cron').fill('0 3 * *')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toContainText('is not a valid schedule')
  await form.getByLabel('Cron').fill('0 3 * * 1')
  await form.getByLabel('Time zone').fill('Asia/Tokyo')
  await form.getByRole('textbox', { name: 'Parameters' }).fill('{"depth":2}')
  expect(await listViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(schedules.getByText('0 3 * * 1 (Asia/Tokyo)')).toBeVisible()
  await expect(page.getByText('Next run:')).toBeVisible()
  expect(await listViolations(page)).toEqual([])

  await schedules.getByRole('button', { name: 'Edit 0 3 * * 1 (Asia/Tokyo)' }).click()
  await expect(form.getByRole('textbox', { name: 'Parameters' })).toHaveValue('{\n  "depth": 2\n}')
  await form.getByLabel('Timing').selectOption('interval')
  await form.getByLabel('First run').fill('2031-01-31T12:00')
  await form.getByLabel('Minutes between runs').fill('30')
  await form.getByLabel('Description').fill('For the night')
  await form.getByRole('textbox', { name: 'Parameters' }).fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(schedules).toContainText('Every 30 min')
  await expect(schedules).toContainText('For the night')
  const { results } = await asMaster(page, 'GET', '/classes/_JobSchedule?where={"jobName":"clean"}')
  expect(results).toEqual([
    expect.objectContaining({
      startAfter: '2031-01-31T12:00:00.000Z',
      repeatMinutes: 30,
      description: 'For the night',
    }),
  ])
  for (const gone of ['cron', 'timeZone', 'params']) expect(results[0]).not.toHaveProperty(gone)
  await schedules.getByRole('button', { name: 'Delete Every 30 min' }).click()
  await expect(page.getByText('Runs only when started.')).toBeVisible()
  const { results: noted } = await asMaster(page, 'GET', '/audit?action=updateSchedule')
  expect(noted[0]).toMatchObject({ subject: results[0].objectId })

  const url = 'https://example.com/notified'
  const { objectId } = await asMaster(page, 'POST', '/webhooks', { url, events: ['user.signUp'], enabled: false })
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: `Details: ${url}` }).click()
  await expect(page.getByText('Nothing sent yet')).toBeVisible()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByRole('button', { name: 'Details: test' }).click()
  await expect(page.getByRole('region', { name: 'Event' })).toContainText('"type": "test"')
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Sending the event again')).toBeVisible()
  await expect
    .poll(async () => (await asMaster(page, 'GET', `/webhooks/${objectId}/deliveries`)).results.length)
    .toBe(2)
  expect(await listViolations(page)).toEqual([])
  await asMaster(page, 'DELETE', `/webhooks/${objectId}`)
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search log' }).fill('/server/')
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.filter({ hasText: /POST \/server\// }).first()).toBeVisible()
  // The console's own reads come with the switch alone.
  await expect(rows.filter({ hasText: 'GET /server/scriptlog' })).toHaveCount(0)
  const own = page.getByRole('switch', { name: 'Requests of this console and for files' })
  await own.click()
  await expect(rows.filter({ hasText: 'GET /server/scriptlog' }).first()).toBeVisible()
  await own.click()
  await page.getByRole('switch', { name: 'Follow live' }).click()
  await page.getByLabel('Area').selectOption('jobs')
  await expect(rows.filter({ hasText: '/server/' })).toHaveCount(0)
  await page.getByLabel('Area').selectOption('requests')
  const line = rows.filter({ has: page.getByRole('link', { name: 'User' }) }).first()
  await expect(line.getByRole('link', { name: 'User' })).toHaveAttribute('href', /\/admin\/users\/\w+$/)
  const request = line.getByRole('button', { name: /^Show the request/ })
  const id = String(await request.textContent())
  await request.press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search log' })).toHaveValue(id)
  await expect(rows.filter({ hasText: id })).not.toHaveCount(0)
  expect(await listViolations(page)).toEqual([])
})

test('a viewer reads functions, jobs and the log, and runs none', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/functions')
  await page.getByRole('button', { name: 'Details: greet' }).click()
  await expect(page.getByRole('region', { name: 'greet' })).toContainText('"times"')
  await expect(page.getByRole('button', { name: /^Run/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('button', { name: 'Details: clean' }).first().click()
  await expect(page.getByRole('button', { name: /^Run|^Add/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await expect(page.getByText(/POST \/server\//).first()).toBeVisible()
})

test('support finds none of it', async ({ page }) => {
  await enterAs(page, 'support')
  await page.goto('/admin/functions')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the screens pass the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await inspectConsole(
    page,
    ['functions', 'jobs', 'webhooks', 'logs'].map((name) => `/admin/functions?show=${name}`),
  )
})
