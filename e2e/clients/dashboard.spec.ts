import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { askAsOperator, startDashboard } from '../lib/servers/startDashboard.mjs'
import { startServer } from '../lib/servers/startServer.mjs'

const masterKey = 'the-master-key-of-the-dashboard'
const cloud = `
Parse.Cloud.job('clean', ({ message }) => message('All clean'))
Parse.Cloud.define('greet', () => 'Hello')
`

type Site = {
  /** Opens a page of the dashboard by what stands behind the name of the application. */
  open: (path: string) => Promise<void>
  /** State of the server, read with the master key. */
  ask: (method: string, path: string, body?: object) => ReturnType<typeof askAsOperator>
}
type Started = { dashboard: string; server: Parameters<typeof askAsOperator>[0] }

const test = base.extend<{ site: Site }, { started: Started }>({
  started: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
      await writeFile(join(folder, 'cloud.js'), cloud)
      const running = await startServer({ masterKey, cloud: join(folder, 'cloud.js') })
      const { appId } = (await (await fetch(`${running.url}/config.json`)).json()) as { appId: string }
      const server = { serverUrl: `${running.url}/server`, appId, masterKey }
      const dashboard = await startDashboard(server)
      await use({ dashboard: dashboard.url, server })
      await Promise.all([dashboard.stop(), running.stop()])
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ started, context, page }, use) => {
      const faults: string[] = []
      // It asks for fonts and pictures of others.
      await context.route(/^https?:\/\/(?!localhost[:/])/, (route) => route.abort())
      context.on('weberror', (error) => faults.push(`uncaught: ${error.error().stack}`))
      context.on('response', (response) => {
        const isOurs = response.url().startsWith(started.server.serverUrl)
        if (isOurs && response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
      })
      await use({
        open: async (path) => void (await page.goto(`${started.dashboard}/apps/App/${path}`)),
        ask: (...request) => askAsOperator(started.server, ...request),
      })
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

// Every column of a table is on the screen.
test.use({ viewport: { width: 2_600, height: 1_000 } })
test.slow()

const modalOf = (page: Page) => page.locator('[data-modal]')
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

async function choose(page: Page, list: Locator, option: string): Promise<void> {
  await list.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const rowsOf = (page: Page) => page.locator('#browser-table div:has(> span > input[type=checkbox])')

async function cellOf(page: Page, column: string, row = 0): Promise<Locator> {
  const heads = page.locator('#browser-table > div').first().locator('> div')
  let names: string[] = []
  await expect
    .poll(async () => {
      names = await heads.locator('> div:first-child > div:first-child').allInnerTexts()
      return names
    })
    .toContain(column)
  return rowsOf(page)
    .nth(row)
    .locator('> span')
    .nth(names.indexOf(column) + 1)
}

/** The cross at the end of a line of a list. */
const deleteOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ hasText: name }).locator('a, button').last()

test('the data browser: a class, columns of every type, a row, every editor, deletion', async ({ page, site }) => {
  const { objectId: userId } = await site.ask('POST', '/users', { username: 'ann', password: 'a long secret' })
  await site.open('browser/_User')
  await expect(await cellOf(page, 'username')).toHaveText('ann')

  const modal = modalOf(page)
  await page.getByText('Create a class', { exact: true }).click()
  await modal.getByPlaceholder('Give it a good name...').fill('Thing')
  await press(modal, 'Create')
  await page.waitForURL('**/browser/Thing')
  const types = {
    ...{ text: 'String', amount: 'Number', flag: 'Boolean', day: 'Date', details: 'Object', list: 'Array' },
    ...{ place: 'GeoPoint', picture: 'File', owner: 'Pointer' },
  }
  for (const [name, type] of Object.entries(types)) {
    await press(page, 'Add a new column')
    await choose(page, modal.getByRole('combobox').first(), type)
    if (type === 'Pointer') await choose(page, modal.getByRole('combobox').nth(1), '_User')
    await modal.getByPlaceholder('Give it a good name...').fill(name)
    await press(modal, 'Add')
    await expect(modal).toHaveCount(0)
  }
  const { fields } = await site.ask('GET', '/schemas/Thing')
  for (const [name, type] of Object.entries(types)) expect(fields[name].type, name).toBe(type)

  await page.getByText('Add a row', { exact: true }).click()
  await press(page, 'Add')
  await expect(await cellOf(page, 'objectId')).toHaveText(/^[a-zA-Z0-9]{10}$/)
  const stored = async (name: string) => (await site.ask('GET', '/classes/Thing')).results[0]?.[name]

  const edit = async (column: string) => {
    await (await cellOf(page, column)).dblclick()
  }
  const type = async (column: string, text: string) => {
    await edit(column)
    await page.locator('#browser-table').getByRole('textbox').first().fill(text)
    await page.keyboard.press('Enter')
  }
  await type('text', 'a first text')
  await expect.poll(() => stored('text')).toBe('a first text')
  await type('text', 'another')
  await expect.poll(() => stored('text')).toBe('another')
  await expect(await cellOf(page, 'text')).toHaveText('another')
  await type('amount', '42.5')
  await expect.poll(() => stored('amount')).toBe(42.5)
  const table = page.locator('#browser-table')
  await edit('flag')
  await table.getByText('True', { exact: true }).click()
  await (await cellOf(page, 'objectId')).click()
  await expect.poll(() => stored('flag')).toBe(true)
  await type('day', '2031-01-31T12:00:00.000Z')
  await expect.poll(() => stored('day')).toEqual({ __type: 'Date', iso: '2031-01-31T12:00:00.000Z' })
  const typeJson = async (column: string, text: string) => {
    await edit(column)
    await table.locator('textarea').fill(text)
    await (await cellOf(page, 'objectId')).click()
  }
  await typeJson('details', '{ "a": { "b": [1, "two"] } }')
  await expect.poll(() => stored('details')).toEqual({ a: { b: [1, 'two'] } })
  await typeJson('list', '[1, "two", { "three": 3 }]')
  await expect.poll(() => stored('list')).toEqual([1, 'two', { three: 3 }])
  await edit('place')
  await table.getByRole('textbox').nth(0).fill('48.2')
  await table.getByRole('textbox').nth(1).fill('16.37')
  await page.keyboard.press('Enter')
  await expect.poll(() => stored('place')).toEqual({ __type: 'GeoPoint', latitude: 48.2, longitude: 16.37 })
  await type('owner', userId)
  await expect.poll(() => stored('owner')).toMatchObject({ __type: 'Pointer', className: '_User', objectId: userId })
  await edit('picture')
  const content = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('from the dashboard') }
  await page.locator('#fileInput').setInputFiles(content)
  await expect.poll(() => stored('picture')).toMatchObject({ __type: 'File' })
  const { url } = await stored('picture')
  expect(await (await fetch(url)).text()).toBe('from the dashboard')
  await edit('ACL')
  await modal.getByText('Write', { exact: true }).last().click()
  await press(modal, 'Save ACL')
  await expect.poll(() => stored('ACL')).toEqual({ '*': { read: true } })

  await page.reload()
  await expect(await cellOf(page, 'text')).toHaveText('another')
  await expect(await cellOf(page, 'owner')).toHaveText(userId)
  await rowsOf(page).first().locator('input[type=checkbox]').check()
  await page.getByText('Edit', { exact: true }).click()
  await page.getByText('Delete this row', { exact: true }).click()
  await press(modal, 'Delete')
  await expect.poll(() => stored('objectId')).toBe(undefined)
  await page.getByText('Edit', { exact: true }).click()
  await page.getByText('Delete this class', { exact: true }).click()
  await modal.getByRole('textbox').fill('Thing')
  await press(modal, 'Delete')
  await expect.poll(async () => (await site.ask('GET', '/schemas/Thing')).code).toBe(103)
})

test('config: a parameter is added, changed and deleted', async ({ page, site }) => {
  const params = async () => (await site.ask('GET', '/config')).params
  const modal = modalOf(page)
  await site.open('config')
  await page.getByText('Create a parameter', { exact: true }).first().click()
  await modal.getByRole('textbox').first().fill('greeting')
  await modal.getByRole('textbox').nth(1).fill('Hello')
  await press(modal, 'Create')
  await expect.poll(params).toEqual({ greeting: 'Hello' })
  await page.getByText('greeting', { exact: true }).first().click()
  await modal.getByRole('textbox').last().fill('Good day')
  await press(modal, 'Save')
  await expect.poll(params).toEqual({ greeting: 'Good day' })
  await expect(modal).toHaveCount(0)
  await deleteOf(page, 'greeting').click()
  await modal.getByRole('textbox').fill('greeting')
  await press(modal, 'Delete')
  await expect.poll(params).toEqual({})
})

test('webhooks: a function that runs elsewhere is added, moved and deleted', async ({ page, site }) => {
  const modal = modalOf(page)
  const functions = () => site.ask('GET', '/hooks/functions')
  await site.open('webhooks')
  await page.getByText('Create a Webhook').first().click()
  await modal.getByRole('textbox').first().fill('weather')
  await modal.getByRole('textbox').nth(1).fill('https://example.com/weather')
  await press(modal, 'Create')
  await expect.poll(functions).toEqual([{ functionName: 'weather', url: 'https://example.com/weather' }])
  await expect(modal).toHaveCount(0)
  await page.getByText('weather', { exact: true }).first().click()
  await modal.getByRole('textbox').last().fill('https://example.com/moved')
  await press(modal, 'Save')
  await expect.poll(functions).toEqual([{ functionName: 'weather', url: 'https://example.com/moved' }])
  await expect(modal).toHaveCount(0)
  await deleteOf(page, 'weather').click()
  await press(modal, 'Delete')
  await expect.poll(functions).toEqual([])
})

test('jobs: one runs, and its status is shown', async ({ page, site }) => {
  await site.open('jobs/all')
  await press(page, 'Run...')
  await press(modalOf(page), 'Run')
  const runs = async () => (await site.ask('GET', '/classes/_JobStatus')).results
  await expect.poll(async () => (await runs())[0]?.status).toBe('succeeded')
  await site.open('jobs/status')
  await expect(page.getByText('All clean')).toBeVisible()
})

test('logs: information and errors', async ({ page, site }) => {
  await site.open('logs/info')
  await expect(page.getByText(/request .*serverInfo/).first()).toBeVisible()
  await page.getByText('Error', { exact: true }).click()
  await expect(page.getByText('No logs in the last 30 days')).toBeVisible()
})

test('the checks of security are shown', async ({ page, site }) => {
  await site.open('settings/security')
  await expect(page.getByText('The master key cannot be guessed')).toBeVisible()
  await expect(page.getByText('Set allowClientClassCreation to false.')).toBeVisible()
})

test('roles: one is made, and gets a member', async ({ page, site }) => {
  const { objectId: userId } = await site.ask('POST', '/users', { username: 'bob', password: 'a long secret' })
  await site.open('browser/_Role')
  await page.getByText('Add a row', { exact: true }).click()
  await (await cellOf(page, 'name')).dblclick()
  await page.locator('#browser-table').getByRole('textbox').first().fill('crew')
  await page.keyboard.press('Enter')
  await (await cellOf(page, 'ACL')).dblclick()
  await press(modalOf(page), 'Save ACL')
  await press(page, 'Add')
  const role = async () => (await site.ask('GET', '/roles')).results[0]
  await expect.poll(async () => (await role())?.name).toBe('crew')
  const objects = [{ __type: 'Pointer', className: '_User', objectId: userId }]
  const { objectId } = await role()
  await site.ask('PUT', `/roles/${objectId}`, { users: { __op: 'AddRelation', objects } })
  await expect(await cellOf(page, 'users')).toHaveText('View relation')
  await site.open(`browser/_Role/${objectId}/users`)
  await expect(await cellOf(page, 'username')).toHaveText('bob')
})

test('class permissions are changed', async ({ page, site }) => {
  const modal = modalOf(page)
  await site.ask('POST', '/schemas/Guarded', { className: 'Guarded', fields: { text: { type: 'String' } } })
  await site.open('browser/Guarded')
  await page.getByText('Security', { exact: true }).click()
  await page.getByText('Class Level Permissions', { exact: true }).click()
  await modal.getByText('Write', { exact: true }).nth(1).click()
  await press(modal, 'Save CLP')
  const permissions = async () => (await site.ask('GET', '/schemas/Guarded')).classLevelPermissions
  await expect.poll(async () => (await permissions()).create['*']).toBe(undefined)
  expect(await permissions()).toMatchObject({ find: { '*': true }, get: { '*': true } })
})
