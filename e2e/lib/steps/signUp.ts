import { expect, type Page } from '@playwright/test'
import { password } from './password.mjs'

export async function signUp(page: Page, username: string, email?: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Username').fill(username)
  if (email) await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  // The setup page has tests of its own.
  await page.getByRole('heading', { name: 'Set up your account' }).waitFor()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).not.toHaveURL(/welcome/)
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
}
