import assert from 'node:assert/strict'
import { chromium } from '@playwright/test'
import { chromiumOptions, longestStep } from './chromiumOptions.mjs'
import { password } from './steps/password.mjs'

/**
 * Follows every link that the terminal and the mails of a server show. The claim link makes an administrator who has a
 * new account; the account then gets mails, and each of their links is opened, too.
 *
 * @param {() => string} said output of the terminal
 * @returns {Promise<string[]>} the links that were opened
 */
export async function followLinks(said) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const context = await browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(longestStep)
    const printed = listLinks(said())
    const claim = printed.find((link) => link.includes('/admin/claim#'))
    assert.ok(claim, `No claim link is printed:\n${said()}`)
    await becomeAdministrator(page, claim)
    const followed = [claim]
    for (const link of printed.filter((each) => each !== claim)) {
      await openLink(page, link)
      followed.push(link)
    }
    const outbox = printed.find((link) => link.endsWith('/outbox'))
    assert.ok(outbox, `The outbox is not printed:\n${said()}`)
    const origin = new URL(outbox).origin
    await requestReset(page, origin)
    const mailed = await readOutbox(page, outbox)
    await openMailed(page, mailed, origin)
    return [...followed, ...mailed]
  } finally {
    await browser.close()
  }
}

/**
 * The same for a server in production, at its own addresses and with a mail server.
 *
 * @param {object} production
 * @param {() => string} production.said output of the terminal
 * @param {string[]} production.mails texts of the mails, so far and from now on
 * @param {string} production.webUrl
 * @param {import('@playwright/test').BrowserContext} production.context
 * @returns {Promise<string[]>} the links that were opened
 */
export async function followProduction({ said, mails, webUrl, context }) {
  const page = await context.newPage()
  const printed = listLinks(said(), webUrl)
  const claim = printed.find((link) => link.includes('/admin/claim#'))
  assert.ok(claim, `No claim link is printed:\n${said()}`)
  await becomeAdministrator(page, claim)
  for (const link of printed.filter((each) => each !== claim)) await openLink(page, link)
  await requestReset(page, webUrl)
  await requestSignInLink(page, webUrl)
  const deadline = Date.now() + longestStep
  const wanted = ['/verify-email', '/reset', '/sign-in/link']
  const listMailed = () => [...new Set(mails.flatMap((mail) => listLinks(mail, '')))]
  while (!wanted.every((path) => listMailed().some((link) => new URL(link).pathname === path))) {
    assert.ok(Date.now() < deadline, `Mails lead only to ${listMailed()}`)
    await page.waitForTimeout(100)
  }
  await openMailed(page, listMailed(), webUrl)
  return [...printed, ...listMailed()]
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string[]} mailed
 * @param {string} origin
 */
async function openMailed(page, mailed, origin) {
  const paths = mailed.map((link) => new URL(link).pathname)
  for (const path of ['/verify-email', '/reset']) assert.ok(paths.includes(path), `No mail leads to ${path}: ${paths}`)
  for (const link of mailed) {
    assert.equal(new URL(link).origin, origin, `${link} leads elsewhere`)
    await openLink(page, link)
  }
}

/**
 * Opens every link that a server in production prints; it shows no mails.
 *
 * @param {() => string} said output of the terminal
 */
export async function openPrinted(said) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(longestStep)
    const printed = listLinks(said())
    assert.ok(
      printed.some((link) => link.includes('/admin/claim#')),
      `No claim link is printed:\n${said()}`,
    )
    for (const link of printed) await openLink(page, link)
  } finally {
    await browser.close()
  }
}

const address = 'ada@example.com'

/**
 * Links to this machine, or to an address; all of them with an empty one.
 *
 * @param {string} text
 */
function listLinks(text, start = 'http://localhost') {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors of the terminal.
  const plain = text.replace(/\u001b\[[0-9;]*m/g, '')
  const links = plain.match(/https?:\/\/[^\s"'`,;)<>]+/g) ?? []
  return [...new Set(links.map((link) => link.replace(/[.:]+$/, '')))].filter((link) => link.startsWith(start))
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} claim
 */
async function becomeAdministrator(page, claim) {
  await page.goto(claim)
  await page.getByRole('main').getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email').fill(address)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await page.getByRole('button', { name: 'Become an administrator' }).click()
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} link
 */
async function openLink(page, link) {
  const response = await page.goto(link)
  assert.ok(response?.ok(), `${link} responds with ${response?.status()}`)
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByText(/page not found|could not be found|Cannot GET/i).count(), 0, `${link} is not found`)
  assert.notEqual((await page.locator('body').innerText()).trim(), '', `${link} is empty`)
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} origin
 */
async function requestReset(page, origin) {
  const guest = await page.context().browser()?.newPage({ ignoreHTTPSErrors: true })
  assert.ok(guest)
  await guest.goto(`${origin}/forgot`)
  await guest.getByLabel('Email').fill(address)
  await guest.getByRole('main').getByRole('button').last().click()
  await guest.getByText(address).first().waitFor()
  await guest.close()
}

/**
 * Asks for a sign-in link in the browser that opens it.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} origin
 */
async function requestSignInLink(page, origin) {
  await page.context().clearCookies()
  await page.goto(`${origin}/sign-in`)
  await page.getByRole('link', { name: 'Email me a code' }).click()
  // The page before has a field of the same name.
  await page.getByRole('heading', { name: 'Sign in with a code' }).waitFor()
  await page.getByLabel('Email').fill(address)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code', { exact: true }).waitFor()
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} outbox
 * @returns {Promise<string[]>} the links of all mails
 */
async function readOutbox(page, outbox) {
  const deadline = Date.now() + longestStep
  for (;;) {
    await page.goto(outbox)
    await page.waitForLoadState('networkidle')
    const links = listLinks(await page.locator('main').innerText())
    const addresses = await page
      .locator('main a[href]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    const tokens = addresses.filter((link) => link.includes('token=')).map((link) => new URL(link, outbox).href)
    const found = [...new Set([...links, ...tokens])]
    if (found.some((link) => link.includes('/reset')) || Date.now() > deadline) return found
    await page.waitForTimeout(500)
  }
}
