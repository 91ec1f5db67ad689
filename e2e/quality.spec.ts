import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { createOwner } from './lib/createOwner.mjs'
import { inspectScreen } from './lib/inspectScreen.ts'
import { newName } from './lib/newName.ts'
import { screens } from './lib/screens.mjs'
import { signIn } from './lib/signIn.mjs'
import { signUp } from './lib/signUp.ts'
import { expect, serve, test } from './lib/test.ts'

serve()

async function enter(page: Page, api: Parameters<typeof createOwner>[0]) {
  const username = await createOwner(api, newName('a-rather-long-user-name-'))
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
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
