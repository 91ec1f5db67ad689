import type { Page } from '@playwright/test'
import { openState } from '../lib/gallery/openState.mjs'
import { sheetStates } from '../lib/gallery/sheetStates.mjs'
import { listViolations } from '../lib/listViolations.ts'
import { expect, serve, test } from '../lib/test.ts'
import { type Watch, watchPages } from '../lib/watchPages.ts'

serve()

/** Controls too small for a thumb, or beyond the side of the screen. */
function listMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('dialog[open]') ?? document.body
    const pressed = [...root.querySelectorAll<HTMLElement>('button, input:not([aria-hidden="true"]), summary, nav a')]
    const low = pressed.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
    const wide = [document.documentElement, ...document.querySelectorAll('dialog[open]')].filter(
      (one) => one.scrollWidth > one.clientWidth,
    )
    return [...low, ...wide].map((one) => one.outerHTML.slice(0, 160))
  })
}

for (const state of sheetStates)
  test(`axe finds nothing, light or dark, and all of it fits a phone: ${state.name}`, async ({ browser, baseURL }) => {
    let watch: Watch | undefined
    const options = { baseURL, colorScheme: 'light', reducedMotion: 'reduce' } as const
    const { page, context } = await openState(browser, state, options, (made) => {
      watch = watchPages(made, () => baseURL ?? '')
    })
    expect(await listViolations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await listViolations(page, { rules: ['color-contrast'] }), 'dark').toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await listMisfits(page), 'phone').toEqual([])
    // The browser reports that the page was cut off from its server on purpose.
    if (!state.cut) expect(watch?.faults).toEqual([])
    await context.close()
  })
