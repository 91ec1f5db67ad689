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

test('React warns about nothing on any page, in its development build', async ({ page, context }) => {
  test.setTimeout(900_000)
  const remove = await serveDevelopment(context)
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  const account = ['', 'account/portfolio', 'account/wallets', 'account/security', 'account/sessions', 'account/apps']
  const further = ['account/activity', 'account/profile', 'welcome', 'explorer']
  const own = [...account, ...further].map((path): Screen => ({ name: path, path: `/${path}` }))
  for (const { path, act } of [...own, ...screens]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await act?.(page)
  }
  // Proof that it is the development build: the published one has no such texts.
  const texts = await page.evaluate(async () => {
    const urls = [...document.querySelectorAll('script[src]')].map((script) => (script as HTMLScriptElement).src)
    return (await Promise.all(urls.map(async (url) => (await fetch(url)).text()))).join('')
  })
  expect(texts).toContain('Each child in a list should have a unique')
  await remove()
})
