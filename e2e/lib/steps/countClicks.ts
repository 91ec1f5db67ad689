import type { Page } from '@playwright/test'

/** Counts presses of the pointer from now on, on every page of the tab. Keys and typing are free. */
export async function countClicks(page: Page): Promise<() => number> {
  let count = 0
  await page.exposeFunction('countPress', () => {
    count += 1
  })
  const listen = () =>
    addEventListener('pointerdown', () => (window as never as { countPress: () => void }).countPress(), true)
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return () => count
}
