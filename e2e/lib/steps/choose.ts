import type { Page } from '@playwright/test'

/** Opens the “⋯” of a row and chooses from it. */
export async function choose(page: Page, row: string | RegExp, action: string): Promise<void> {
  const name = typeof row === 'string' ? `Actions for ${row}` : row
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
