import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test'
import { chromiumOptions } from '../lib/chromiumOptions.mjs'
import { startApps } from '../lib/servers/startApps.mjs'
import { startServer } from '../lib/servers/startServer.mjs'

const folder = fileURLToPath(new URL('../apps/dist', import.meta.url))

type Site = { url: string; appId: string; appsUrl: string }

type Rows = {
  /** Opens the page of e2e/apps that shows rows. */
  open: (page: Page, session?: 'cookie' | 'storage') => Promise<void>
  /** Calls the API past the page. */
  ask: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
}

const test = base.extend<Rows, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const apps = await startApps()
      const server = await startServer({ wallet: { origins: [apps.url] } })
      const { appId } = await (await fetch(`${server.url}/config.json`)).json()
      await use({ url: server.url, appId, appsUrl: apps.url })
      await Promise.all([apps.stop(), server.stop()])
    },
    { scope: 'worker' },
  ],
  open: async ({ context, site }, use) => {
    // By cookie, the page lies on the server's own origin.
    await context.route(
      (url) => url.origin === site.url && /^\/(rows|assets)\//.test(url.pathname),
      (route) => {
        const { pathname } = new URL(route.request().url())
        return route.fulfill({ path: join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname) })
      },
    )
    await use(async (page, session = 'storage') => {
      const query = new URLSearchParams({ appId: site.appId, session, serverUrl: `${site.url}/server` })
      await page.goto(`${session === 'cookie' ? site.url : site.appsUrl}/rows/?${query}`)
    })
  },
  ask: async ({ site }, use) => {
    await use(async (method, path, body) => {
      const headers = { 'X-Parse-Application-Id': site.appId, 'Content-Type': 'application/json' }
      const response = await fetch(`${site.url}/server${path}`, { method, headers, body: body && JSON.stringify(body) })
      return response.json()
    })
  },
})

const text = (page: Page, id: string) => page.locator(`#${id}`)
const api = (site: Site) => `${site.url}/server/**`

/** The class with these rows and no others. */
async function fill(ask: Rows['ask'], numbers: readonly number[]): Promise<void> {
  const { results = [] } = await ask('GET', '/classes/Row')
  for (const { objectId } of results as { objectId: string }[]) await ask('DELETE', `/classes/Row/${objectId}`)
  for (const n of numbers) await ask('POST', '/classes/Row', { n })
}

async function cut(context: BrowserContext, site: Site): Promise<() => Promise<void>> {
  const abort = (route: { abort: () => Promise<void> }) => route.abort()
  await context.route(api(site), abort)
  return () => context.unroute(api(site), abort)
}

test('H4: the server is down when the page loads: rows appear when it is back', async ({
  page,
  context,
  site,
  open,
  ask,
}) => {
  await fill(ask, [1, 2])
  const restore = await cut(context, site)
  await open(page)
  await expect(text(page, 'state')).toHaveText('error')
  await restore()
  await expect(text(page, 'rows')).toHaveText('1,2')
  await expect(text(page, 'live')).toHaveText('1,2')
  await expect(text(page, 'state')).toHaveText('success')
})

test('H4: the server is down for a while: rows stay, and are current afterwards', async ({
  page,
  context,
  site,
  open,
  ask,
}) => {
  await fill(ask, [1, 2])
  await open(page)
  await expect(text(page, 'rows')).toHaveText('1,2')
  const restore = await cut(context, site)
  await page.getByText('Read').click()
  await expect(text(page, 'state')).toHaveText('error stale')
  await expect(text(page, 'rows')).toHaveText('1,2')
  await ask('POST', '/classes/Row', { n: 3 })
  await restore()
  await expect(text(page, 'rows')).toHaveText('1,2,3')
  await expect(text(page, 'state')).toHaveText('success')
})

test('H4: a server that returns 500 for a while', async ({ page, context, site, open, ask }) => {
  await fill(ask, [1])
  const fail = (route: { fulfill: (answer: object) => Promise<void> }) => route.fulfill({ status: 500, body: 'broken' })
  await context.route(api(site), fail)
  await open(page)
  await expect(text(page, 'state')).toHaveText('error')
  await context.unroute(api(site), fail)
  await expect(text(page, 'rows')).toHaveText('1')
})

test('M1: three seconds of latency: the session is checked while the rows are read', async ({
  page,
  context,
  site,
  open,
  ask,
}) => {
  await fill(ask, [1])
  const username = `slow-${Date.now()}`
  const user = await ask('POST', '/users', { username, password: 'correct horse battery' })
  const kept = { user: { objectId: user.objectId, username, createdAt: user.createdAt, updatedAt: user.createdAt } }
  await context.addInitScript(
    ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
    [`Countersign/${site.appId}/session`, JSON.stringify({ ...kept, token: user.sessionToken, id: 'slow' })],
  )
  const asked: { path: string; at: number }[] = []
  await context.route(api(site), async (route) => {
    asked.push({ path: new URL(route.request().url()).pathname, at: Date.now() })
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await route.continue()
  })
  await open(page)
  await expect(text(page, 'session')).toHaveText(`undefined ${username}`)
  await expect(text(page, 'rows')).toHaveText('1')
  await expect(text(page, 'session')).toHaveText(`authenticated ${username}`)
  const [check, read] = ['/server/users/me', '/server/classes/Row'].map((path) =>
    asked.find((one) => one.path === path),
  )
  expect(Math.abs((check?.at ?? 0) - (read?.at ?? 10_000))).toBeLessThan(2_000)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
})

test('M5: offline and back: a save made offline reaches the server once', async ({ page, context, open, ask }) => {
  await fill(ask, [1, 2])
  await open(page)
  await expect(text(page, 'live')).toHaveText('1,2')
  // Code of the first save must be loaded before the network fails.
  await page.getByText('Add').click()
  await expect(text(page, 'rows')).toHaveText('1,2,3')
  await context.setOffline(true)
  await page.getByText('Add').click()
  await expect(text(page, 'rows')).toHaveText('1,2,3,4')
  await page.waitForTimeout(3_000)
  await expect(text(page, 'rows'), 'it is still waiting').toHaveText('1,2,3,4')
  await context.setOffline(false)
  await expect(async () => {
    const { results } = await ask('GET', '/classes/Row?order=n')
    expect((results as { n: number }[]).map(({ n }) => n)).toEqual([1, 2, 3, 4])
  }).toPass()
  await expect(text(page, 'rows')).toHaveText('1,2,3,4')
  await expect(text(page, 'live')).toHaveText('1,2,3,4')
})

test('M4: by cookie with storage blocked, a reload keeps the user', async ({ page, context, site, open, ask }) => {
  await fill(ask, [1])
  const username = `blocked-${Date.now()}`
  await ask('POST', '/users', { username, password: 'correct horse battery' })
  await context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
  })
  await open(page, 'cookie')
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  await page.evaluate(
    async ({ appId, username }) => {
      const headers = {
        'X-Parse-Application-Id': appId,
        'X-Countersign-Session': 'cookie',
        'Content-Type': 'application/json',
      }
      const body = JSON.stringify({ username, password: 'correct horse battery', _method: 'GET' })
      await fetch('/server/login', { method: 'POST', headers, body, credentials: 'include' })
    },
    { appId: site.appId, username },
  )
  await open(page, 'cookie')
  await expect(text(page, 'session')).toHaveText(`authenticated ${username}`)
  await expect(text(page, 'rows')).toHaveText('1')
})

test('two tabs: a new object of one is in the live list of the other', async ({ page, context, open, ask }) => {
  await fill(ask, [1])
  const other = await context.newPage()
  await open(page)
  await open(other)
  await expect(text(other, 'live')).toHaveText('1')
  await page.getByText('Add').click()
  await expect(text(page, 'rows')).toHaveText('1,2')
  await expect(text(other, 'live')).toHaveText('1,2')
})

test('a page from the back-forward cache shows current rows, also live', async ({ site, ask }) => {
  await fill(ask, [1])
  // Playwright turns the cache off.
  const browser = await chromium.launch({ ...chromiumOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  try {
    const page = await browser.newPage()
    const query = new URLSearchParams({ appId: site.appId, session: 'storage', serverUrl: `${site.url}/server` })
    await page.goto(`${site.appsUrl}/rows/?${query}`)
    await expect(text(page, 'live')).toHaveText('1')
    await page.evaluate(() => {
      Object.assign(window, { isSame: true })
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }))
    })
    await page.evaluate((url) => location.assign(url), `${site.url}/health`)
    await expect.poll(() => page.url()).toBe(`${site.url}/health`)
    await ask('POST', '/classes/Row', { n: 2 })
    await page.evaluate(() => history.back())
    await expect(text(page, 'rows')).toHaveText('1,2')
    await expect(text(page, 'live')).toHaveText('1,2')
    const seen = await page.evaluate(() => {
      const { isSame, persisted } = window as unknown as Record<string, unknown>
      return { isSame, persisted }
    })
    expect(seen, 'the page came from the cache').toEqual({ isSame: true, persisted: true })
    await ask('POST', '/classes/Row', { n: 3 })
    await expect(text(page, 'live'), 'the live connection is open again').toHaveText('1,2,3')
  } finally {
    await browser.close()
  }
})
