import { gzipSync } from 'node:zlib'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { createOwner } from './lib/createOwner.mjs'
import { newName } from './lib/newName.ts'
import { type Screen, screens } from './lib/screens.mjs'
import { signIn } from './lib/signIn.mjs'
import { signUp } from './lib/signUp.ts'
import { expect, serve, test } from './lib/test.ts'

serve()

async function open(page: Page, screen: Screen) {
  await page.goto(screen.path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screen.act?.(page)
}

async function enter(page: Page, api: Parameters<typeof createOwner>[0]) {
  const username = await createOwner(api, newName('a-rather-long-user-name-'))
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing, and no console speaks, on any screen: ${colorScheme}`, async ({ page, api, watch }) => {
    test.setTimeout(240_000)
    await page.emulateMedia({ colorScheme })
    const check = async (screen: Screen) => {
      await open(page, screen)
      const { violations, passes } = await new AxeBuilder({ page })
        // Two empty elements at the edges of an open menu that hand the focus on; axe takes them for content.
        .exclude('[data-base-ui-focus-guard]')
        .analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
      expect(found, screen.name).toEqual([])
      expect(passes.length).toBeGreaterThan(5)
    }
    for (const screen of screens.filter(({ signedIn }) => !signedIn)) await check(screen)
    await enter(page, api)
    for (const screen of screens.filter(({ signedIn }) => signedIn)) await check(screen)
    // Only the screens that show a refusal have one.
    expect(watch.refusals.length).toBe(screens.filter(({ refused }) => refused).length)
  })

for (const direction of ['ltr', 'rtl'] as const)
  test(`nothing sticks out at 360, 768 and 1280 px: ${direction}`, async ({ page, api }) => {
    test.setTimeout(240_000)
    const check = async (screen: Screen) => {
      await open(page, screen)
      await page.evaluate((dir) => {
        document.documentElement.dir = dir
      }, direction)
      for (const width of [360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const wide = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        // An open menu moves along in the frame after.
        await expect.poll(wide, { message: `${screen.name} at ${width} px`, timeout: 1000 }).toBeLessThanOrEqual(0)
      }
    }
    for (const screen of screens.filter(({ signedIn }) => !signedIn)) await check(screen)
    await enter(page, api)
    for (const screen of screens.filter(({ signedIn }) => signedIn)) await check(screen)
  })

test('what is pressed is at least 44 px high on a phone', async ({ page, api }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const check = async (screen: Screen) => {
    await open(page, screen)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, select, nav a, [role="menuitem"], [role="switch"]')]
        .filter((element) => element.checkVisibility() && !element.closest('.sr-only'))
        .filter(
          (element) => element.getBoundingClientRect().height < 43.5 && element.getAttribute('aria-hidden') !== 'true',
        )
        .map((element) => element.outerHTML.slice(0, 160)),
    )
    expect(small, screen.name).toEqual([])
  }
  for (const screen of screens.filter(({ signedIn }) => !signedIn)) await check(screen)
  await enter(page, api)
  for (const screen of screens.filter(({ signedIn }) => signedIn)) await check(screen)
})

for (const signedIn of [false, true])
  test(`the first load of home is at most 120 kB of script, ${signedIn ? 'signed in' : 'as a visitor'}`, async ({
    page,
    context,
  }) => {
    if (signedIn) await signUp(page, newName())
    const sizes: Promise<number>[] = []
    const fresh = await context.newPage()
    await context.route('**/*', (route) => route.continue())
    fresh.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js'))
        sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
    })
    await fresh.goto('/', { waitUntil: 'networkidle' })
    await expect(fresh.getByRole('heading', { level: 1 })).toBeVisible()
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(120_000)
  })
