import { createApi } from '../lib/createApi.mjs'
import { fillConsole, listConsoleScreens, startConsole } from '../lib/gallery/consoleScreens.mjs'
import type { Screen } from '../lib/gallery/screens.mjs'
import { layouts, listFaultsOf } from '../lib/inspectLayout.ts'
import { startWorld } from '../lib/servers/startWorld.mjs'
import { createOwner } from '../lib/steps/createOwner.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const username = 'a-rather-long-user-name'
let screens: Screen[] = []

serveBy(async () => {
  const world = await startWorld()
  const server = await startConsole(world)
  await createOwner(createApi(server.url), username)
  screens = listConsoleScreens(await fillConsole(server.url, username, world))
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), world.stop()])) }
})

/** Pages that CI looks at, too: those with the longest rows. */
const main = /^console(-users|-user|-data-class|-schema|-roles|-functions|-settings)?$/

test('console: long languages fit a phone and a tablet', { tag: '@both' }, async ({ page }) => {
  test.setTimeout(600_000)
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  const some = screens.filter(({ name }) => main.test(name))
  expect(some).toHaveLength(8)
  expect(await listFaultsOf(page, some, layouts.longest)).toEqual([])
})

// In parts, which run beside each other.
for (const part of [0, 1, 2])
  test(`console: every language fits every width: part ${part + 1} of 3`, async ({ page }) => {
    test.setTimeout(1_800_000)
    await signIn(page, username)
    await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    const some = screens.filter((_screen, place) => place % 3 === part)
    expect(some.length).toBeGreaterThan(8)
    expect(await listFaultsOf(page, some, layouts.every)).toEqual([])
  })
