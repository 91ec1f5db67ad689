import { expect, type Page } from '@playwright/test'

export const password = 'correct horse battery'

let made = 0

/** A name that no other test uses. */
export function newName(start = 'ada'): string {
  made += 1
  return `${start}${made}x${Date.now().toString(36)}`
}

export async function signUp(page: Page, username: string, email?: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('User name').fill(username)
  if (email) await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
}

export async function signIn(page: Page, username: string, secret = password): Promise<void> {
  if (!page.url().includes('/sign-in')) await page.goto('/sign-in')
  await page.getByLabel('User name or e-mail').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
