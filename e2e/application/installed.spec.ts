import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test as base, expect, type Page } from '@playwright/test'
import { startFront } from '../lib/servers/startFront.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { newName } from '../lib/steps/newName.ts'
import { signOut } from '../lib/steps/signOut.ts'
import { signUp } from '../lib/steps/signUp.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const test = base.extend<object, { front: Awaited<ReturnType<typeof startFront>> }>({
  front: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const front = await startFront((publicUrl) => startServer({ publicUrl }))
      await use(front)
      await front.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ front }, use) => {
    await use(front.url)
    front.join()
    front.serve(undefined)
  },
})
test.use({ serviceWorkers: 'allow' })

const kept = [
  ['portfolio', 'Portfolio'],
  ['wallets', 'Wallets'],
  ['activity', 'Activity'],
  ['sessions', 'Sessions'],
] as const

/** Opens the screens that are kept, until the worker has all of its files. */
async function visit(page: Page): Promise<void> {
  for (const [path, title] of kept) {
    await page.goto(`/account/${path}`)
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  }
  await expect(page.getByText('This device').first()).toBeVisible()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
}

/** Everything in the caches of the worker: addresses and bodies. */
const readCaches = (page: Page) =>
  page.evaluate(async () => {
    const found: [string, string][] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        found.push([new URL(request.url).pathname, await ((await cache.match(request)) as Response).text()])
    }
    return found
  })

const readDisk = (page: Page) =>
  page.evaluate(async () => {
    const open = indexedDB.open('Countersign/offline')
    const database = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result)
    })
    const items = database.transaction('items').objectStore('items')
    const [keys, values] = [items.getAllKeys(), items.getAll()]
    await new Promise((resolve) => {
      items.transaction.oncomplete = resolve
    })
    database.close()
    return JSON.stringify([keys.result, values.result])
  })

test('the account opens without a network, from this device alone; caches hold nothing of the user', async ({
  context,
  front,
  page,
}) => {
  const username = newName()
  await signUp(page, username)
  await visit(page)
  const device = await page.getByRole('listitem').filter({ hasText: 'This device' }).first().innerText()
  expect(device).toContain('Chrome')
  const userId = await page.evaluate(async () => {
    const { appId } = JSON.parse(localStorage.getItem('Countersign/config') ?? '{}')
    return JSON.parse(localStorage.getItem(`Countersign/${appId}/session`) ?? '{}').user.objectId
  })
  const cached = await readCaches(page)
  expect(cached.length).toBeGreaterThan(20)
  for (const [path, text] of cached) {
    expect(path).toMatch(/^\/(index\.html|theme\.js|favicon\.svg|assets\/.+|brand\/.+)$/)
    expect(text).not.toContain(username)
    expect(text).not.toContain(userId)
  }
  await page.close()

  front.cut()
  const offline = await context.newPage()
  for (const [path, title] of kept) {
    await offline.goto(`/account/${path}`)
    await expect(offline.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(offline.getByText(/^Offline, as of \d\d:\d\d$/)).toBeVisible()
    await expect(offline.getByRole('alert')).toHaveCount(0)
  }
  await expect(offline.getByText('This device').first()).toBeVisible()
  const answers = await offline.evaluate(() =>
    Promise.all(
      ['/server/health', '/server/users/me', '/oidc/.well-known/openid-configuration', '/mcp', '/config.json'].map(
        (path) =>
          fetch(path).then(
            ({ status }) => `${path} ${status}`,
            () => 'none',
          ),
      ),
    ),
  )
  expect(answers).toEqual(['none', 'none', 'none', 'none', 'none'])
  for (const path of ['/admin', '/server/health', '/oidc/auth', '/docs/', '/sign-in'])
    await expect(offline.goto(path)).rejects.toThrow(/ERR_/)

  front.join()
  await offline.goto('/account/sessions')
  await expect(offline.getByText('This device').first()).toBeVisible()
  await expect(offline.getByText(/^Offline/)).toHaveCount(0)
  expect(await readDisk(offline)).toContain(userId)
  await signOut(offline)
  await expect.poll(() => readDisk(offline)).not.toContain(userId)
  const next = newName('bob')
  await signUp(offline, next)
  await visit(offline)
  const disk = await readDisk(offline)
  expect(disk).not.toContain(userId)
  expect(disk).not.toContain(username)
})

test('after an upgrade the new page is shown at once, online and offline', async ({ context, front, page }) => {
  test.setTimeout(600_000)
  const folder = await mkdtemp(join(tmpdir(), 'countersign-release-'))
  await promisify(execFile)(process.execPath, [join(root, 'scripts/steps/buildNextRelease.mjs'), folder], { cwd: root })
  front.serve(join(root, 'packages/server/dist/web'))
  await signUp(page, newName())
  await visit(page)
  // Controlled by the worker of this release.
  await page.reload()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

  front.serve(folder)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sessions of the next release' })).toBeVisible()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state))
    .toBe('installed')
  // The former release still opens, whole, as long as one of its pages may be open.
  front.cut()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible()
  await page.close()

  const offline = await context.newPage()
  await expect(async () => {
    // The next release takes over once no page of the former one is open; going from page to page keeps one open.
    await offline.goto('about:blank')
    await offline.waitForTimeout(500)
    await offline.goto('/account/sessions')
    await expect(offline.getByRole('heading', { name: 'Sessions of the next release' })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await expect(offline.getByText('This device').first()).toBeVisible()
  // The files of the former release are gone.
  const current = await offline.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname))
  const paths = (await readCaches(offline)).map(([path]) => path)
  for (const path of current) expect(paths).toContain(path)
  expect(paths.filter((path) => path.startsWith('/assets/first-') && path.endsWith('.js'))).toHaveLength(1)
  await rm(folder, { recursive: true })
})

test('the browser can install it: manifest with the name and icons of the operator', async ({ page, request }) => {
  await page.goto('/')
  const address = await page.locator('link[rel="manifest"]').getAttribute('href')
  const response = await request.get(String(address))
  expect(response.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await response.json()
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
  for (const { src, type } of manifest.icons) {
    const icon = await request.get(src)
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type])
  }
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // Chromium without a window of its own lists this one for every page.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})
