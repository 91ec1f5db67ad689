import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { chromiumOptions } from './chromiumOptions.mjs'

/**
 * Uses an example: a person does what it is for, and a guest beside them sees the score that they saved.
 *
 * @param {string} url
 * @param {(page: import('@playwright/test').Page) => Promise<void>} save
 * @param {(context: import('@playwright/test').BrowserContext) => Promise<void>} [prepare]
 */
export async function useScores(url, save, prepare) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const [person, guest] = [await browser.newContext(), await browser.newContext()]
    await prepare?.(person)
    /** @type {string[]} */
    const faults = []
    for (const context of [person, guest])
      context.on('weberror', (error) => void faults.push(String(error.error().stack)))
    const [page, beside] = [await person.newPage(), await guest.newPage()]
    for (const each of [page, beside]) {
      each.setDefaultTimeout(60_000)
      await each.goto(url)
    }
    await save(page)
    await beside
      .getByRole('listitem')
      .filter({ hasText: /: \d+$/ })
      .waitFor()
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
  }
}

/**
 * The test wallet of the package that an application installed.
 *
 * @param {string} folder of the application
 * @param {import('@playwright/test').BrowserContext} context
 */
export async function addTestWallet(folder, context) {
  const testing = await import(pathToFileURL(join(folder, 'node_modules/@countersign/react/dist/testing.js')).href)
  await testing.addTestWallet(context)
}
