// node e2e/screens.mjs <folder> [--url http://localhost:1337]: a picture of every screen, desktop and phone, light and dark.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { chromiumOptions } from './lib/chromiumOptions.mjs'
import { createApi } from './lib/createApi.mjs'
import { createOwner } from './lib/createOwner.mjs'
import { openState } from './lib/openState.mjs'
import { screens } from './lib/screens.mjs'
import { sheetStates } from './lib/sheetStates.mjs'
import { signIn } from './lib/signIn.mjs'
import { startServer } from './lib/startServer.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, only: { type: 'string' } },
})
const folder = positionals[0]
if (!folder) {
  console.error('Name the folder for the pictures: node e2e/screens.mjs <folder>')
  process.exit(1)
}
await mkdir(folder, { recursive: true })

const looks = [
  { name: 'desktop-light', viewport: { width: 1280, height: 860 }, colorScheme: /** @type {const} */ ('light') },
  { name: 'desktop-dark', viewport: { width: 1280, height: 860 }, colorScheme: /** @type {const} */ ('dark') },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: /** @type {const} */ ('light'), isMobile: true },
  {
    name: 'phone-dark',
    viewport: { width: 360, height: 740 },
    colorScheme: /** @type {const} */ ('dark'),
    isMobile: true,
  },
]

const server = values.url ? { url: values.url, stop: async () => {} } : await startServer()
const browser = await chromium.launch(chromiumOptions)
try {
  const api = createApi(server.url)
  const username = await createOwner(api, 'ada.lovelace')

  for (const look of looks) {
    const contexts = [
      await browser.newContext({ ...look, baseURL: server.url }),
      await browser.newContext({ ...look, baseURL: server.url }),
    ]
    const [visitor, owner] = contexts
    if (!visitor || !owner) throw new Error('No context')
    const page = await owner.newPage()
    await signIn(page, username)
    await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    await page.close()
    for (const screen of screens) {
      if (values.only && !screen.name.includes(values.only)) continue
      const page = await (screen.signedIn ? owner : visitor).newPage()
      await page.goto(screen.path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await screen.act?.(page)
      await page.waitForTimeout(400)
      const file = join(folder, `${screen.name}.${look.name}.png`)
      await page.screenshot({ path: file, fullPage: !/menu|delete|editing/.test(screen.name) })
      console.log(file)
      await page.close()
    }
    for (const context of contexts) await context.close()
    for (const state of sheetStates) {
      if (values.only && !`sheet-${state.name}`.includes(values.only)) continue
      const { page, context } = await openState(browser, state, { ...look, baseURL: server.url })
      await page.waitForTimeout(400)
      const file = join(folder, `sheet-${state.name}.${look.name}.png`)
      await page.screenshot({ path: file })
      console.log(file)
      await context.close()
    }
  }
} finally {
  await browser.close()
  await server.stop()
}
