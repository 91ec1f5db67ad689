import { createApi } from './lib/createApi.mjs'
import { createHolder } from './lib/createHolder.mjs'
import { listDataScreens } from './lib/dataScreens.mjs'
import { inspectScreen } from './lib/inspectScreen.ts'
import { newName } from './lib/newName.ts'
import { signIn } from './lib/signIn.mjs'
import { startWorld } from './lib/startWorld.mjs'
import { expect, serveBy, test } from './lib/test.ts'

const username = newName('a-rather-long-user-name-')
let world: Awaited<ReturnType<typeof startWorld>>

serveBy(async () => {
  world = await startWorld()
  // Transactions are kept of those whose wallets are linked.
  await createHolder(createApi(world.url), username)
  return world
})

for (const signedIn of [false, true])
  test(`screens with data: axe finds nothing, light or dark; nothing sticks out, left to right or right to left; all can be pressed; no other host is asked: ${signedIn ? 'signed in' : 'visitors'}`, async ({
    page,
    watch,
  }) => {
    test.setTimeout(240_000)
    if (signedIn) {
      await signIn(page, username)
      await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    }
    const looked = listDataScreens(world).filter((screen) => Boolean(screen.signedIn) === signedIn)
    for (const screen of looked) await inspectScreen(page, screen)
    expect([...watch.origins]).toEqual([new URL(page.url()).origin])
    expect(watch.refusals).toEqual([])
  })
