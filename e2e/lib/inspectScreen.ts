import { expect, type Page, test } from '@playwright/test'
import type { Screen } from './gallery/screens.mjs'
import { listViolations } from './listViolations.ts'

async function open(page: Page, screen: Screen) {
  await page.goto(screen.path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screen.act?.(page)
}

/** A page is opened once and looked at in every way: opening takes longer than looking. */
export async function inspectScreen(page: Page, screen: Screen) {
  // Each screen has a minute of its own: axe takes seconds on a loaded machine.
  test.setTimeout(test.info().timeout + 60_000)
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, screen)
  // A narrow page has other parts: a menu instead of a sidebar, cards instead of a table.
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 860 })
    expect(await listViolations(page), `${screen.name}, light, ${width} px`).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await listViolations(page, { rules: ['color-contrast'] }), `${screen.name}, dark`).toEqual([])
  // 640 by 430 is what is left of 1280 by 860 when everything is drawn twice as large.
  for (const { width, height } of [
    { width: 768, height: 800 },
    { width: 640, height: 430 },
    { width: 360, height: 800 },
  ]) {
    await page.setViewportSize({ width, height })
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate((dir) => {
        document.documentElement.dir = dir
      }, direction)
      const wide = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      // An open menu moves along in the frame after.
      await expect
        .poll(wide, { message: `${screen.name} at ${width} px, ${direction}`, timeout: 15_000 })
        .toBeLessThanOrEqual(0)
    }
  }
  expect(await listLow(page), screen.name).toEqual([])
}

/** Controls too small for a thumb. */
function listLow(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, select, nav a, [role="menuitem"], [role="switch"]')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only'))
      // A checkbox is pressed by the words around it as well.
      .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < 43.5)
      .filter((element) => element.getAttribute('aria-hidden') !== 'true')
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}
