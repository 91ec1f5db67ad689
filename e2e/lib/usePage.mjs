import assert from 'node:assert/strict'
import { addTestWallet } from '@countersign/react/testing'
import { chromium } from '@playwright/test'
import { chromiumOptions } from './chromiumOptions.mjs'

/**
 * Opens a browser for somebody with a test wallet. What a page throws fails it.
 *
 * @param {import('@countersign/react/testing').TestWalletOptions} options
 * @param {(context: import('@playwright/test').BrowserContext, wallet: import('@countersign/react/testing').TestWallet) => Promise<void>} use
 */
export async function usePage(options, use) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    const wallet = await addTestWallet(context, options)
    /** @type {string[]} */
    const faults = []
    context.on('weberror', (error) => void faults.push(String(error.error().stack)))
    try {
      await use(context, wallet)
    } catch (error) {
      const texts = await Promise.all(context.pages().map((page) => page.locator('body').innerText()))
      throw new Error([error instanceof Error ? error.stack : error, 'The page shows:', ...texts, ...faults].join('\n'))
    }
    assert.deepEqual(faults, [], 'The page throws.')
  } finally {
    await browser.close()
  }
}
