import { expect, type Page } from '@playwright/test'
import type { Screen } from './gallery/screens.mjs'
import { listOverflows } from './listOverflows.ts'

const all = ['en', 'de', 'es', 'fr', 'pt', 'zh', 'ja', 'ar']

/** The whole matrix, and the bounded part that CI runs: the longest words, and the other direction. */
export const layouts = {
  every: { languages: all, widths: [1440, 820, 390] },
  longest: { languages: ['de', 'ar'], widths: [820, 390] },
} as const

type Layouts = { languages: readonly string[]; widths: readonly number[] }

/** Speaks another language without a reload, as if it had been chosen in another tab. What is open stays open. */
async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((chosen) => {
    const key = 'Countersign/language'
    localStorage.setItem(key, chosen)
    dispatchEvent(new StorageEvent('storage', { key, newValue: chosen }))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** Layout faults of the shown screen in each language at each width. The page speaks English again afterwards. */
export async function listLayoutFaults(page: Page, { languages, widths }: Layouts): Promise<string[]> {
  const faults: string[] = []
  const before = page.viewportSize()
  for (const language of languages) {
    await speak(page, language)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 })
      faults.push(...(await settle(page)).map((fault) => `${language} ${width}: ${fault}`))
    }
  }
  await speak(page, 'en')
  if (before) await page.setViewportSize(before)
  return faults
}

/** Opens each screen once, which takes longer than looking at it, and lists its layout faults. */
export async function listFaultsOf(page: Page, screens: readonly Screen[], matrix: Layouts): Promise<string[]> {
  const faults: string[] = []
  for (const screen of screens) {
    await page.setViewportSize({ width: 1440, height: 860 })
    await page.goto(screen.path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await screen.act?.(page)
    faults.push(...(await listLayoutFaults(page, matrix)).map((fault) => `${screen.name} ${fault}`))
  }
  return faults
}

/** Faults that stay: lists measure their rows in the frames after a change. */
async function settle(page: Page): Promise<string[]> {
  let faults: string[] = []
  for (let times = 0; times < 12; times++) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    faults = await listOverflows(page)
    if (faults.length === 0) break
    await page.evaluate(() => new Promise((done) => setTimeout(done, 150)))
  }
  return faults
}
