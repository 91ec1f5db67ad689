import { openSheet } from './openSheet.mjs'

/**
 * Signs in from the home page with a wallet whose owner approves; returns the name of the account.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} [wallet]
 * @returns {Promise<string>}
 */
export async function signInByWallet(page, wallet = 'Test Wallet') {
  await page.goto('/')
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: wallet }).click()
  const heading = page.locator('h1', { hasText: 'Hello, ' })
  await heading.waitFor()
  await sheet.waitFor({ state: 'hidden' })
  return (await heading.innerText()).slice('Hello, '.length)
}
