import type { Page } from '@playwright/test'
import { openState } from '../lib/gallery/openState.mjs'
import { screenOptions, screens } from '../lib/gallery/screens.mjs'
import { sheetStates } from '../lib/gallery/sheetStates.mjs'
import { layouts, listFaultsOf, listLayoutFaults } from '../lib/inspectLayout.ts'
import { createOwner } from '../lib/steps/createOwner.mjs'
import { newName } from '../lib/steps/newName.ts'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve(screenOptions)

/** Screens that CI looks at, too: those of a visitor and of the account, without their further states. */
const main = /^(sign-in|sign-up|home-visitor|home|profile|wallets-empty|sessions|security|welcome|activity)$/

async function enter(page: Page, api: Parameters<typeof createOwner>[0]) {
  const username = await createOwner(api, newName('a-rather-long-user-name-'))
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
}

for (const signedIn of [false, true]) {
  const own = screens.filter((screen) => Boolean(screen.signedIn) === signedIn)
  const who = signedIn ? 'signed in' : 'visitors'

  test(`long languages fit a phone and a tablet: ${who}`, { tag: '@both' }, async ({ page, api }) => {
    test.setTimeout(300_000)
    if (signedIn) await enter(page, api)
    const some = own.filter(({ name }) => main.test(name))
    expect(some.length).toBeGreaterThan(2)
    expect(await listFaultsOf(page, some, layouts.longest)).toEqual([])
  })

  test(`every language fits every width: ${who}`, async ({ page, api }) => {
    test.setTimeout(1_200_000)
    if (signedIn) await enter(page, api)
    expect(await listFaultsOf(page, own, layouts.every)).toEqual([])
  })
}

for (const state of sheetStates.filter(({ cut }) => !cut))
  test(`every language fits every width: sheet, ${state.name}`, async ({ browser, baseURL }) => {
    const { page, context } = await openState(browser, state, { baseURL, reducedMotion: 'reduce' })
    expect(await listLayoutFaults(page, layouts.every)).toEqual([])
    await context.close()
  })
