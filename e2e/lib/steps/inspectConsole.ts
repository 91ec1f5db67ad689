import { expect, type Page } from '@playwright/test'
import { inspectScreen } from '../inspectScreen.ts'

/** Looks at screens of the console in every way. `CONSOLE_PICTURES` names a folder for pictures of them. */
export async function inspectConsole(page: Page, paths: readonly string[]): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  for (const path of paths) {
    const act = async (shown: Page) => {
      await expect(shown.locator('[aria-busy="true"]')).toHaveCount(0)
    }
    await inspectScreen(page, { name: path, path, act } as never)
    if (!folder) continue
    const file = (look: string) => `${folder}/${path.replace(/\W+/g, '-').slice(0, 40)}.${look}.png`
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.screenshot({ path: file('desktop'), fullPage: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: file('phone') })
  }
}
