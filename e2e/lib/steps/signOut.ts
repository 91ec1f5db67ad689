import type { Page } from '@playwright/test'

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  // Leaving the page before would cut the request off.
  await page.getByText('You’re signed out.').waitFor()
}
