import { addTestWallet } from '@countersign/react/testing'
import { createApi } from '../lib/createApi.mjs'
import { listDataScreens } from '../lib/gallery/dataScreens.mjs'
import { inspectScreen } from '../lib/inspectScreen.ts'
import { listViolations } from '../lib/listViolations.ts'
import { startWorld } from '../lib/servers/startWorld.mjs'
import { adaKey, createHolder } from '../lib/steps/createHolder.mjs'
import { newName } from '../lib/steps/newName.ts'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const username = newName('a-rather-long-user-name-')
let world: Awaited<ReturnType<typeof startWorld>>

serveBy(async () => {
  world = await startWorld()
  // Transactions are kept of those whose wallets are linked.
  await createHolder(createApi(world.url), username)
  return world
})

for (const signedIn of [false, true])
  test(`screens with data: axe finds nothing, light or dark; nothing overflows, left to right or right to left; all controls are large enough; no request to other hosts: ${signedIn ? 'signed in' : 'visitors'}`, async ({
    page,
    context,
    watch,
  }) => {
    test.setTimeout(240_000)
    if (signedIn) {
      await addTestWallet(context, { privateKeys: [adaKey], rpcUrl: world.node, chainId: world.chain })
      await signIn(page, username)
      await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    }
    const looked = listDataScreens(world).filter((screen) => Boolean(screen.signedIn) === signedIn)
    for (const screen of looked) await inspectScreen(page, screen)
    expect([...watch.origins]).toEqual([new URL(page.url()).origin])
    expect(watch.refusals).toEqual([])
  })

test('value over time: by pointer, by keyboard and as a table with its blocks; by today’s prices where no node remembers', async ({
  page,
  watch,
}) => {
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  await page.goto('/account/portfolio')
  const card = page.getByRole('region', { name: 'Value over time' })
  const chart = card.getByRole('slider', { name: 'Point in time' })
  await expect(chart).toBeVisible()
  await expect(card).toContainText('Based on pool prices at each date')
  const total = await page.getByRole('region', { name: 'Total value' }).locator('p').first().innerText()
  await expect(chart).toHaveAttribute('aria-valuetext', new RegExp(`: ${total.replace(/[$.]/g, '\\$&')}$`))

  await chart.press('Home')
  const oldest = (await chart.getAttribute('aria-valuetext')) ?? ''
  expect(oldest).not.toContain(total)
  await expect(chart.getByText(oldest.split(': ')[1] ?? 'none')).toBeVisible()
  await expect(chart.getByText(/^Block \d+$/)).toBeVisible()
  await chart.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuenow', '1')
  await chart.press('Escape')
  await expect(chart.getByText(/^Block \d+$/)).toBeHidden()
  await chart.hover({ position: { x: 5, y: 40 } })
  await expect(chart.getByText(/^Block \d+$/)).toBeVisible()

  await page.getByRole('button', { name: '1W' }).click()
  await expect(page.getByRole('button', { name: '1W' })).toHaveAttribute('aria-pressed', 'true')
  await expect(chart).toBeVisible()
  await chart.press('Home')
  await expect(chart).not.toHaveAttribute('aria-valuetext', oldest)
  await page.getByRole('button', { name: '1M' }).click()
  await expect(chart).toBeVisible()

  await card.getByText('Show as table').click()
  const rows = card.getByRole('row')
  expect(await rows.count()).toBeGreaterThan(15)
  await expect(rows.nth(1)).toContainText(total)
  await expect(rows.last()).toContainText(oldest.split(': ')[1] ?? 'none')
  await expect(rows.last().getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^/explorer/${world.chain}/block/\\d+$`),
  )

  await page.route(/\/addresses\/0x\w+\/value(\?|$)/, (route) =>
    route.fulfill({
      status: 400,
      json: { code: 108, error: 'No node configured for this chain keeps the state of blocks that old.' },
    }),
  )
  await page.goto('/account/portfolio')
  await expect(card).toContainText('at today’s prices')
  await expect(chart).toBeVisible()
  watch.faults.length = 0
})

// The last one, since the account has another name afterwards.
test('the name and the picture of a linked wallet are offered and taken; the picture is fetched only then', async ({
  page,
  watch,
}) => {
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  const picture = '**/server/chain/*/names/ada.eth/picture'
  let asked = 0
  await page.route(picture, (route) => {
    asked++
    return route.fulfill({ status: 404, json: { code: 101, error: 'The image could not be fetched.' } })
  })
  await page.goto('/welcome')
  const offer = page.getByRole('listitem').filter({ hasText: 'has the name ada.eth' })
  await expect(offer.getByRole('button', { name: 'Use ada.eth and its picture' })).toBeVisible()
  expect(asked).toBe(0)
  await offer.getByRole('button').click()
  await expect(offer.getByRole('alert')).toHaveText('The picture of ada.eth could not be loaded. Upload one instead.')
  await expect(page.getByRole('banner')).toContainText('ada.eth')
  await expect(page.getByLabel('Username', { exact: true })).toHaveValue('ada.eth')
  expect(await listViolations(page)).toEqual([])

  await page.unroute(picture)
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Use the picture of ada.eth' }).click()
  await expect(page.getByText('Picture saved.')).toBeVisible()
  await expect(offer).toBeHidden()
  const shown = page.getByRole('main').locator('img[src*="/files/"]')
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(128)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(asked).toBe(1)
  expect(watch.refusals).toHaveLength(1)
})

test('names stand for addresses, tokens have a price and its change, and a known token is no namesake', async ({
  page,
}) => {
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  await page.goto('/account/portfolio')
  const assets = page.getByRole('list', { name: 'Assets', exact: true }).getByRole('listitem')
  await expect(assets.filter({ hasText: 'HRBR' })).toContainText(/\$\d[\d.,]* · [+-]?\d[\d.]*% in 24 hours/)
  // No pool trades it: nothing is made up.
  await expect(assets.filter({ hasText: 'Value unknown' }).first()).not.toContainText('in 24 hours')

  await page.goto('/account/portfolio?show=transfers')
  const transfers = page.getByRole('list', { name: 'Transfers' }).getByRole('listitem')
  const known = transfers.filter({ hasText: 'HRBR' }).first()
  await expect(known.getByRole('link', { name: /^\w+\.eth$/ })).toHaveAttribute('title', /^0x[0-9a-fA-F]{40}$/)
  await expect(known).not.toContainText('Same name as another token')
})
