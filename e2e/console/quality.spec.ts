import { createApi } from '../lib/createApi.mjs'
import { fillConsole, listConsoleScreens, startConsole } from '../lib/gallery/consoleScreens.mjs'
import type { Screen } from '../lib/gallery/screens.mjs'
import { inspectScreen } from '../lib/inspectScreen.ts'
import { serveDevelopment } from '../lib/serveDevelopment.ts'
import { startWorld } from '../lib/servers/startWorld.mjs'
import { createOwner } from '../lib/steps/createOwner.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const username = 'ada'
let screens: Screen[] = []

serveBy(async () => {
  const world = await startWorld()
  const server = await startConsole(world)
  await createOwner(createApi(server.url), username)
  screens = listConsoleScreens(await fillConsole(server.url, username, world))
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), world.stop()])) }
})

// In parts, which run beside each other.
for (const part of [0, 1, 2])
  test(`console: axe finds nothing at three widths, light or dark; nothing overflows; all controls are large enough; no console output; no request to other hosts: part ${part + 1} of 3`, async ({
    page,
    watch,
  }) => {
    test.setTimeout(120_000)
    await signIn(page, username)
    await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    const looked = screens.filter((_screen, place) => place % 3 === part)
    expect(looked.length).toBeGreaterThan(10)
    for (const screen of looked) await inspectScreen(page, screen)
    expect([...watch.origins]).toEqual([new URL(page.url()).origin])
    expect(watch.refusals).toEqual([])
  })

test('React warns about nothing on any page, in its development build', async ({ page, context, watch }) => {
  test.setTimeout(600_000)
  const remove = await serveDevelopment(context)
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  const account = ['', 'account/portfolio', 'account/wallets', 'account/security', 'account/sessions', 'account/apps']
  const further = ['account/activity', 'account/profile', 'welcome', 'explorer']
  const paths = [...[...account, ...further].map((path) => `/${path}`), ...screens.map(({ path }) => path)]
  // Without a reload, which would fetch hundreds of files for each page.
  for (const path of new Set(paths)) {
    await page.evaluate((to) => {
      window.history.pushState({}, '', to)
      window.dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    }, path)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  }
  // Proof that it is the development build: the published one has no such texts.
  const texts = await page.evaluate(async () => {
    const urls = [...document.querySelectorAll('script[src]')].map((script) => (script as HTMLScriptElement).src)
    return (await Promise.all(urls.map(async (url) => (await fetch(url)).text()))).join('')
  })
  expect(texts).toContain('Each child in a list should have a unique')
  await remove()
  // A page that a route fulfills has no address for the browser, which then refuses its socket.
  const faults = watch.faults.filter((fault) => !fault.includes('BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS'))
  watch.faults.splice(0, watch.faults.length, ...faults)
})
