import type { Page } from '@playwright/test'

/** Follows the navigation of the account area, which keeps some places behind “More” on a phone. */
export async function goTo(page: Page, name: string): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Account' })
  const more = navigation.getByRole('button', { name: 'More' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const link = navigation.getByRole('link', { name, exact: true })
  if ((await more.isVisible()) && !(await link.isVisible())) await more.click()
  await link.click()
}
