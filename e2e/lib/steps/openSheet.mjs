/**
 * Opens the sign-in sheet of the current page and returns it.
 *
 * @param {import('@playwright/test').Page} page
 */
export async function openSheet(page) {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  return sheet
}
