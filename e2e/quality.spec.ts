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

/** A page is opened once and looked at in every way: opening takes longer than looking. */
async function inspect(page: Page, screen: Screen) {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, screen)
  expect(await listViolations(page), `${screen.name}, light`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await listViolations(page, ['color-contrast']), `${screen.name}, dark`).toEqual([])
  // 640 by 430 is what is left of 1280 by 860 when everything is drawn twice as large.
  for (const { width, height } of [
    { width: 768, height: 800 },
    { width: 640, height: 430 },
    { width: 360, height: 800 },
  ]) {
    await page.setViewportSize({ width, height })
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate((dir) => {
        document.documentElement.dir = dir
      }, direction)
      const wide = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      // An open menu moves along in the frame after.
      await expect
        .poll(wide, { message: `${screen.name} at ${width} px, ${direction}`, timeout: 2000 })
        .toBeLessThanOrEqual(0)
    }
  }
  expect(await listLow(page), screen.name).toEqual([])
}

async function listViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Two empty elements at the edges of an open menu that hand the focus on; axe takes them for content.
  const axe = new AxeBuilder({ page }).exclude('[data-base-ui-focus-guard]')
  const { violations, passes } = await (rules ? axe.withRules(rules) : axe).analyze()
  expect(passes.length).toBeGreaterThan(rules ? 0 : 5)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** What is too low to be pressed by a thumb. */
function listLow(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, select, nav a, [role="menuitem"], [role="switch"]')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only'))
      .filter(
        (element) => element.getBoundingClientRect().height < 43.5 && element.getAttribute('aria-hidden') !== 'true',
      )
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}

for (const signedIn of [false, true])
  test(`axe finds nothing, light or dark; nothing sticks out, left to right or right to left; all can be pressed; no console speaks; no other host is asked: ${signedIn ? 'signed in' : 'visitors'}`, async ({
    page,
    api,
    watch,
  }) => {
    test.setTimeout(240_000)
    if (signedIn) await enter(page, api)
    const looked = screens.filter((screen) => Boolean(screen.signedIn) === signedIn)
    for (const screen of looked) await inspect(page, screen)
    expect([...watch.origins]).toEqual([new URL(page.url()).origin])
    // Only the screens that show a refusal have one.
    expect(watch.refusals.length).toBe(looked.filter(({ refused }) => refused).length)
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
