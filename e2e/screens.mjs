// node e2e/screens.mjs <folder> [--url http://localhost:1337] [--only wallets] [--looks desktop,phone] [--index]:
// a picture of every screen, on desktop and phone, light and dark.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addTestWallet } from '@countersign/react/testing'
import { chromium } from '@playwright/test'
import { setup } from '../scripts/seedData.mjs'
import { chromiumOptions } from './lib/chromiumOptions.mjs'
import { createApi } from './lib/createApi.mjs'
import { fillConsole, listConsoleScreens, startConsole } from './lib/gallery/consoleScreens.mjs'
import { listDataScreens } from './lib/gallery/dataScreens.mjs'
import { describeGallery } from './lib/gallery/describeGallery.mjs'
import { looks } from './lib/gallery/looks.mjs'
import { openState } from './lib/gallery/openState.mjs'
import { screenOptions, screens } from './lib/gallery/screens.mjs'
import { sheetStates } from './lib/gallery/sheetStates.mjs'
import { takePicture } from './lib/gallery/takePicture.mjs'
import { startServer } from './lib/servers/startServer.mjs'
import { startWorld } from './lib/servers/startWorld.mjs'
import { adaKey, createHolder } from './lib/steps/createHolder.mjs'
import { createOwner } from './lib/steps/createOwner.mjs'
import { signIn } from './lib/steps/signIn.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    only: { type: 'string' },
    looks: { type: 'string', default: looks.map(({ name }) => name).join() },
    index: { type: 'boolean', default: false },
  },
})
const folder = positionals[0]
if (!folder) {
  console.error('Name the folder for the pictures: node e2e/screens.mjs <folder>')
  process.exit(1)
}
await mkdir(folder, { recursive: true })
const isWanted = (/** @type {string} */ name) =>
  !values.only || values.only.split(',').some((part) => name.includes(part))
const wantedLooks = looks.filter(({ name }) => values.looks.split(',').includes(name))
/** @type {Map<string, number>} how many bytes each picture has, by its file's name */
const taken = new Map()

await setup()
const server = values.url ? { url: values.url, stop: async () => {} } : await startServer(screenOptions)
const world = values.url ? undefined : await startWorld()
const operated = world && (await startConsole(world))
const browser = await chromium.launch(chromiumOptions)
try {
  const username = await createOwner(createApi(server.url), 'ada.lovelace')
  const sites = [{ url: server.url, username, screens }]
  if (world) {
    const holder = await createHolder(createApi(world.url), 'ada.lovelace')
    sites.push({ url: world.url, username: holder, screens: listDataScreens(world) })
  }
  if (world && operated) {
    const operator = await createOwner(createApi(operated.url), 'ada.lovelace')
    const shown = await fillConsole(operated.url, operator, world)
    sites.push({ url: operated.url, username: operator, screens: listConsoleScreens(shown) })
  }

  for (const { name: look, scale, language, only, ...options } of wantedLooks) {
    const isShown = (/** @type {string} */ name) => isWanted(name) && (!only || only.includes(name))
    const settings = {
      ...options,
      baseURL: server.url,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: /** @type {const} */ ('reduce'),
    }
    for (const { url, username, screens } of sites) {
      const wanted = screens.filter(({ name }) => isShown(name))
      if (wanted.length === 0) continue
      const visitor = await browser.newContext({ ...settings, baseURL: url })
      const owner = await browser.newContext({ ...settings, baseURL: url })
      if (world && url === world.url)
        await addTestWallet(owner, { privateKeys: [adaKey], rpcUrl: world.node, chainId: world.chain })
      const page = await owner.newPage()
      await signIn(page, username)
      await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
      await page.close()
      for (const screen of wanted) {
        const page = await (screen.signedIn ? owner : visitor).newPage()
        await page.goto(screen.path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await screen.act?.(page)
        if (language) await speak(page, language)
        // An overlay would be cut off or misplaced in a picture of the whole page.
        const isWhole = !/menu|delete|editing|palette|receive|codes|keys|authenticator|-new|-sync|-views|-row$/.test(
          screen.name,
        )
        await keep(page, `${screen.name}.${look}.webp`, { isWhole, scale })
        // The next screen is found by its English words.
        if (language) await page.evaluate(() => localStorage.removeItem('Countersign/language'))
        await page.close()
      }
      await visitor.close()
      await owner.close()
    }
    for (const state of sheetStates) {
      // The gallery has enough of the dark from the screens.
      if (!isShown(`sheet-${state.name}`) || (values.index && options.colorScheme === 'dark')) continue
      const { page, context } = await openState(browser, state, settings)
      await keep(page, `sheet-${state.name}.${look}.webp`, { isWhole: false, scale })
      await context.close()
    }
  }
  if (values.index) await writeIndex(folder)
} finally {
  await browser.close()
  await server.stop()
  await world?.stop()
  await operated?.stop()
}

/**
 * Opens the same page again in another language, as if it had been chosen in the menu.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} language
 */
async function speak(page, language) {
  await page.evaluate((chosen) => localStorage.setItem('Countersign/language', chosen), language)
  await page.reload()
  await page.locator(`html[lang="${language}"]`).waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} file
 * @param {{ isWhole: boolean, scale: number }} options
 */
async function keep(page, file, options) {
  const picture = await takePicture(page, options)
  await writeFile(join(String(folder), file), picture)
  taken.set(file, picture.length)
  console.log(`${file} ${Math.round(picture.length / 1024)} kB`)
}

/**
 * Pictures of screens that are gone go too.
 *
 * @param {string} folder
 */
async function writeIndex(folder) {
  for (const file of await readdir(folder))
    if (file.endsWith('.webp') && !taken.has(file) && !values.only) await rm(join(folder, file))
  const files = (await readdir(folder)).filter((file) => file.endsWith('.webp')).sort()
  let bytes = 0
  for (const file of files) bytes += (await stat(join(folder, file))).size
  await writeFile(join(folder, 'README.md'), describeGallery(files))
  console.log(`${files.length} pictures, ${(bytes / 1024 / 1024).toFixed(2)} MB`)
}
