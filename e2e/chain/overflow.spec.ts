import { addTestWallet } from '@countersign/react/testing'
import { createApi } from '../lib/createApi.mjs'
import { listDataScreens } from '../lib/gallery/dataScreens.mjs'
import { layouts, listFaultsOf } from '../lib/inspectLayout.ts'
import { startWorld } from '../lib/servers/startWorld.mjs'
import { adaKey, createHolder } from '../lib/steps/createHolder.mjs'
import { newName } from '../lib/steps/newName.ts'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const username = newName('a-rather-long-user-name-')
let world: Awaited<ReturnType<typeof startWorld>>

serveBy(async () => {
  world = await startWorld()
  await createHolder(createApi(world.url), username)
  return world
})

for (const signedIn of [false, true])
  test(`screens with data: every language fits every width: ${signedIn ? 'signed in' : 'visitors'}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(1_800_000)
    if (signedIn) {
      await addTestWallet(context, { privateKeys: [adaKey], rpcUrl: world.node, chainId: world.chain })
      await signIn(page, username)
      await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    }
    const own = listDataScreens(world).filter((screen) => Boolean(screen.signedIn) === signedIn)
    expect(own.length).toBeGreaterThan(5)
    expect(await listFaultsOf(page, own, layouts.every)).toEqual([])
  })
