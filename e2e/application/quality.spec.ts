import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { screenOptions, screens } from '../lib/gallery/screens.mjs'
import { inspectScreen } from '../lib/inspectScreen.ts'
import { createOwner } from '../lib/steps/createOwner.mjs'
import { newName } from '../lib/steps/newName.ts'
import { signIn } from '../lib/steps/signIn.mjs'
import { signUp } from '../lib/steps/signUp.ts'
import { expect, serve, test } from '../lib/test.ts'

serve(screenOptions)

async function enter(page: Page, api: Parameters<typeof createOwner>[0]) {
  const username = await createOwner(api, newName('a-rather-long-user-name-'))
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
}

for (const signedIn of [false, true])
  test(`axe finds nothing, light or dark; nothing overflows, left to right or right to left; all controls are large enough; no console output; no request to other hosts: ${signedIn ? 'signed in' : 'visitors'}`, async ({
    page,
    api,
    watch,
  }) => {
    test.setTimeout(240_000)
    if (signedIn) await enter(page, api)
    const looked = screens.filter((screen) => Boolean(screen.signedIn) === signedIn)
    for (const screen of looked) await inspectScreen(page, screen)
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
    const sizes: { path: string; size: Promise<number> }[] = []
    const fresh = await context.newPage()
    await context.route('**/*', (route) => route.continue())
    fresh.on('response', (response) => {
      const path = new URL(response.url()).pathname
      if (path.endsWith('.js'))
        sizes.push({ path, size: response.body().then((body) => gzipSync(body, { level: 9 }).length) })
    })
    await fresh.goto('/', { waitUntil: 'networkidle' })
    await expect(fresh.getByRole('heading', { level: 1 })).toBeVisible()
    const sum = async (some: typeof sizes) =>
      (await Promise.all(some.map(({ size }) => size))).reduce((total, size) => total + size, 0)
    // The page stands and greets before the cards of the overview come, with what they show and what reads it.
    const first = await sum(sizes.filter(({ path }) => !/overview|accountActions/i.test(path)))
    expect(first).toBeGreaterThan(50_000)
    expect(first).toBeLessThanOrEqual(120_000)
    expect(await sum(sizes)).toBeLessThanOrEqual(135_000)
  })
