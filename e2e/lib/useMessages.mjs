import assert from 'node:assert/strict'
import { chromium } from '@playwright/test'
import { chromiumOptions, longestStep } from './chromiumOptions.mjs'
import { password } from './steps/password.mjs'

/**
 * Uses the application that `npm create countersign` made, in a browser without a wallet: a person signs in with the demo
 * wallet, as the tutorial says, writes and deletes; it shows in their second tab and where a guest looks.
 *
 * @param {string} url
 * @param {string} [pictures] path without an ending, for pictures of the page
 */
export async function useMessages(url, pictures) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const person = await browser.newContext()
    const guest = await browser.newContext()
    /** @type {string[]} */
    const faults = []
    for (const context of [person, guest])
      context.on('weberror', (error) => void faults.push(String(error.error().stack)))
    const [page, tab, beside] = [await person.newPage(), await person.newPage(), await guest.newPage()]
    for (const each of [page, tab, beside]) {
      each.setDefaultTimeout(longestStep)
      await each.goto(url)
      await each.getByText('No messages yet').waitFor()
    }
    if (pictures) await takePictures(page, `${pictures}-empty`)
    await signInWithDemoWallet(page)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const name = await page.locator('header .name').innerText()
    await page.getByLabel('Message', { exact: true }).fill('Hello from a wallet')
    await page.getByRole('button', { name: 'Send' }).click()
    for (const each of [page, tab, beside]) {
      const message = each.getByRole('listitem').filter({ hasText: 'Hello from a wallet' })
      await message.filter({ hasText: name }).locator('time').waitFor()
    }
    await beside.getByText('1 message', { exact: true }).waitFor()
    await page.getByText('1 message, 1 by you').waitFor()
    await tab.getByRole('button', { name: 'Sign out' }).waitFor()
    assert.equal(await beside.getByRole('button', { name: /^Delete/ }).count(), 0)
    // The session is in a cookie that no script can read, and lasts over a reload.
    await page.reload()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const cookies = await person.cookies(url)
    assert.ok(
      cookies.some(({ httpOnly }) => httpOnly),
      'The session is not in a cookie.',
    )
    await page.getByLabel('Message', { exact: true }).fill('A second one, to be deleted')
    await page.keyboard.press('Enter')
    await beside.getByText('A second one, to be deleted').waitFor()
    if (pictures) await takePictures(page, pictures)
    await page.getByRole('button', { name: 'Delete “A second one, to be deleted”' }).click()
    await beside.getByText('A second one, to be deleted').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
  }
}

/**
 * @param {import('@playwright/test').Page} page
 */
async function signInWithDemoWallet(page) {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Demo wallet' }).click()
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} path
 */
async function takePictures(page, path) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark']))
    for (const [name, width, height] of /** @type {const} */ ([
      ['desktop', 1280, 860],
      ['phone', 390, 844],
    ])) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: `${path}-${name}-${colorScheme}.png` })
    }
  await page.emulateMedia({ colorScheme: null })
}

/**
 * Opens the application as it was built for production: people see messages, and no demo wallet.
 *
 * @param {string} url
 */
export async function seeNoDemoWallet(url) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(longestStep)
    await page.goto(url)
    await page.getByText('No messages yet').waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').getByText('No wallet found').waitFor()
    assert.equal(await page.getByText('Demo wallet').count(), 0)
  } finally {
    await browser.close()
  }
}

/**
 * Uses the page that the tutorial puts in the place of the template's: one button, and a second tab that follows.
 *
 * @param {string} url
 */
export async function sayHello(url) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const person = await browser.newContext()
    const [page, tab] = [await person.newPage(), await person.newPage()]
    for (const each of [page, tab]) {
      each.setDefaultTimeout(longestStep)
      await each.goto(url)
    }
    await signInWithDemoWallet(page)
    await page.getByRole('button', { name: 'Say hello' }).click()
    await tab
      .getByRole('listitem')
      .filter({ hasText: /^Hello$/ })
      .waitFor()
  } finally {
    await browser.close()
  }
}

/**
 * Creates an account in the web application.
 *
 * @param {string} url
 * @param {string} choice the choice on the first page
 */
export async function createAccount(url, choice, username = 'ada', secret = password) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(longestStep)
    await page.goto(url)
    await page.getByRole('link', { name: choice, exact: true }).first().click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(secret)
    await page.getByRole('button', { name: 'Create account', exact: true }).click()
    await page.getByRole('heading', { name: 'Set up your account' }).waitFor()
  } finally {
    await browser.close()
  }
}
