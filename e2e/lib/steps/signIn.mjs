import { password } from './password.mjs'

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} username
 * @param {string} [secret]
 */
export async function signIn(page, username, secret = password) {
  if (!page.url().includes('/sign-in')) await page.goto('/sign-in')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
