import assert from 'node:assert/strict'
import { chromium } from '@playwright/test'
import { chromiumOptions } from './chromiumOptions.mjs'
import { password } from './steps/password.mjs'
import { addTestWallet } from './useScores.mjs'

/**
 * Uses the application that `npm create countersign` made: a person signs in with a wallet and writes, and it appears in
 * their second tab and where a guest looks.
 *
 * @param {string} app its folder
 * @param {string} url
 */
export async function useMessages(app, url) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const person = await browser.newContext()
    const guest = await browser.newContext()
    await addTestWallet(app, person)
    const [page, tab, beside] = [await person.newPage(), await person.newPage(), await guest.newPage()]
    for (const each of [page, tab, beside]) {
      each.setDefaultTimeout(60_000)
      await each.goto(url)
      await each.getByText('messages when this page was opened').waitFor()
    }
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
    await page.getByRole('button', { name: /^Sign out/ }).waitFor()
    await page.getByLabel('Message').fill('Hello from a wallet')
    await page.getByRole('button', { name: 'Send' }).click()
    for (const each of [page, tab, beside])
      await each.getByRole('listitem').filter({ hasText: 'Hello from a wallet' }).waitFor()
    await tab.getByRole('button', { name: /^Sign out/ }).waitFor()
    // The session is in a cookie that no script can read, and lasts over a reload.
    await page.reload()
    await page.getByRole('button', { name: /^Sign out/ }).waitFor()
    const cookies = await person.cookies(url)
    assert.ok(
      cookies.some(({ httpOnly }) => httpOnly),
      'The session is not in a cookie.',
    )
  } finally {
    await browser.close()
  }
}

/**
 * Uses the page that the tutorial puts in the place of the template's: one button, and a second tab that follows.
 *
 * @param {string} app its folder
 * @param {string} url
 */
export async function sayHello(app, url) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const person = await browser.newContext()
    await addTestWallet(app, person)
    const [page, tab] = [await person.newPage(), await person.newPage()]
    for (const each of [page, tab]) {
      each.setDefaultTimeout(60_000)
      await each.goto(url)
    }
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
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
    page.setDefaultTimeout(60_000)
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
