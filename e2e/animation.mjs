// node e2e/animation.mjs <folder>: somebody signs in with a wallet and looks around, as an animated picture.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addTestWallet } from '@countersign/react/testing'
import { chromium } from '@playwright/test'
import { setup } from '../scripts/seedData.mjs'
import { chromiumOptions } from './lib/chromiumOptions.mjs'
import { createApi } from './lib/createApi.mjs'
import { joinFrames } from './lib/gallery/joinFrames.mjs'
import { takePicture } from './lib/gallery/takePicture.mjs'
import { startWorld } from './lib/servers/startWorld.mjs'
import { adaKey, createHolder } from './lib/steps/createHolder.mjs'
import { openSheet } from './lib/steps/openSheet.mjs'

const folder = process.argv[2]
if (!folder) {
  console.error('Name the folder for the animation: node e2e/animation.mjs <folder>')
  process.exit(1)
}

await setup()
const world = await startWorld()
const browser = await chromium.launch(chromiumOptions)
/** @type {{ picture: Buffer, milliseconds: number }[]} */
const frames = []
try {
  await createHolder(createApi(world.url), 'ada.lovelace')
  const context = await browser.newContext({
    baseURL: world.url,
    viewport: { width: 1120, height: 700 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  await addTestWallet(context, { privateKeys: [adaKey], rpcUrl: world.node, chainId: world.chain })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const keep = async (/** @type {number} */ milliseconds) => {
    frames.push({ picture: await takePicture(page, { isWhole: false, scale: 0.75 }), milliseconds })
  }
  const open = async (/** @type {string} */ path) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }

  await open('/')
  await keep(1600)
  const sheet = await openSheet(page)
  await keep(1200)
  const wallet = sheet.getByRole('button', { name: 'Test Wallet' })
  await wallet.hover()
  await keep(900)
  await wallet.click()
  await page.locator('h1', { hasText: 'Hello, ' }).waitFor()
  await sheet.waitFor({ state: 'hidden' })
  await page.waitForLoadState('networkidle')
  await keep(2200)
  await open('/account/portfolio')
  await page.getByRole('slider', { name: 'Point in time' }).waitFor()
  await keep(2200)
  await open('/account/portfolio?show=nfts')
  await page.getByRole('article').locator('img').nth(3).waitFor()
  await page.getByRole('article').first().scrollIntoViewIfNeeded()
  await keep(1800)
  for (const path of ['/account/sessions', '/account/security', `/explorer/${world.chain}/tx/${world.transaction}`]) {
    await open(path)
    await keep(1800)
  }
  const [first] = frames
  if (!first) throw new Error('There is no picture.')
  const animation = joinFrames(frames)
  await writeFile(join(folder, 'tour.webp'), animation)
  await writeFile(join(folder, 'tour.still.webp'), frames[3]?.picture ?? first.picture)
  console.log(`${frames.length} pictures, ${Math.round(animation.length / 1000)} kB`)
} finally {
  await browser.close()
  await world.stop()
}
