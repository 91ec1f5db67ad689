// node e2e/screens.mjs <folder> [--url http://localhost:1337]: a picture of every screen, desktop and phone, light and dark.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { createApi } from './lib/api.mjs'
import { chromiumOptions } from './lib/chromium.mjs'
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

const password = 'correct horse battery'
const username = `ada.lovelace${Date.now().toString(36).slice(-4)}`
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const desktop = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0'

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ name: string, path: string, signedIn?: boolean, act?: (page: Page) => Promise<unknown> }} Screen */

/** @type {Screen[]} */
const screens = [
  { name: 'home-visitor', path: '/' },
  { name: 'sign-in', path: '/sign-in' },
  {
    name: 'sign-in-refused',
    path: '/sign-in',
    act: async (page) => {
      await page.getByLabel('User name or e-mail').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'sign-up', path: '/sign-up' },
  {
    name: 'sign-up-errors',
    path: '/sign-up',
    act: async (page) => {
      await page.getByLabel('E-mail').fill('not an address')
      await page.getByLabel('Password', { exact: true }).fill('abc')
      await page.getByRole('button', { name: 'Create account', exact: true }).click()
    },
  },
  { name: 'forgot', path: '/forgot' },
  {
    name: 'forgot-sent',
    path: '/forgot',
    act: async (page) => {
      await page.getByLabel('E-mail').fill('ada@example.org')
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByText('A link is on its way').waitFor()
    },
  },
  { name: 'reset', path: '/reset?token=example' },
  { name: 'reset-incomplete', path: '/reset' },
  {
    name: 'verify-email',
    path: '/verify-email?token=example',
    act: (page) => page.getByRole('heading', { name: 'This link does not work' }).waitFor(),
  },
  { name: 'outbox', path: '/outbox' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'home', path: '/', signedIn: true },
  {
    name: 'home-menu',
    path: '/',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('banner').getByRole('button').click()
      await page.getByRole('menu').waitFor()
    },
  },
  { name: 'profile', path: '/account/profile', signedIn: true },
  {
    name: 'profile-editing',
    path: '/account/profile',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a field' }).click()
      await page.getByLabel('Name', { exact: true }).fill('1st')
      await page.getByRole('button', { name: 'Save changes' }).click()
    },
  },
  {
    name: 'profile-refused',
    path: '/account/profile',
    signedIn: true,
    act: async (page) => {
      await page.getByLabel('User name').fill('taken')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'profile-delete',
    path: '/account/profile',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete account…' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'sessions',
    path: '/account/sessions',
    signedIn: true,
    act: (page) => page.getByText('This device', { exact: true }).waitFor(),
  },
  { name: 'security', path: '/account/security', signedIn: true },
]

const looks = [
  { name: 'desktop-light', viewport: { width: 1280, height: 860 }, colorScheme: /** @type {const} */ ('light') },
  { name: 'desktop-dark', viewport: { width: 1280, height: 860 }, colorScheme: /** @type {const} */ ('dark') },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: /** @type {const} */ ('light'), isMobile: true },
]

const server = values.url ? { url: values.url, stop: async () => {} } : await startServer()
const browser = await chromium.launch(chromiumOptions)
try {
  const api = createApi(server.url)
  await api.signUp({ username: 'taken', password })
  await api.signUp({
    username,
    password,
    email: `${username}@example.org`,
    city: 'London',
    favouriteNumber: 7,
    newsletter: true,
    born: { __type: 'Date', iso: '1815-12-10T00:00:00.000Z' },
    languages: ['English', 'French'],
  })
  for (const agent of [phone, desktop, 'curl/8.5.0']) await api.logIn({ username, password }, agent)

  for (const look of looks) {
    const contexts = [await browser.newContext(look), await browser.newContext(look)]
    const [visitor, owner] = contexts
    if (!visitor || !owner) throw new Error('No context')
    const page = await owner.newPage()
    await page.goto(`${server.url}/sign-in`)
    await page.getByLabel('User name or e-mail').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
    await page.close()
    for (const screen of screens) {
      if (values.only && !screen.name.includes(values.only)) continue
      const page = await (screen.signedIn ? owner : visitor).newPage()
      await page.goto(server.url + screen.path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await screen.act?.(page)
      await page.waitForTimeout(400)
      const file = join(folder, `${screen.name}.${look.name}.png`)
      await page.screenshot({ path: file, fullPage: !/menu|delete|editing/.test(screen.name) })
      console.log(file)
      await page.close()
    }
    for (const context of contexts) await context.close()
  }
} finally {
  await browser.close()
  await server.stop()
}
