import { addTestWallet } from '@countersign/react/testing'

/**
 * A page in one of the states of the sheet, in a browser of its own with two wallets.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {import('./sheetStates.mjs').SheetState} state
 * @param {import('@playwright/test').BrowserContextOptions} options
 * @param {(context: import('@playwright/test').BrowserContext) => void} [prepare]
 */
export async function openState(browser, state, options, prepare) {
  const context = await browser.newContext(options)
  prepare?.(context)
  const wallet = await addTestWallet(context)
  await addTestWallet(context, { name: 'Other Wallet', rdns: 'org.example.other' })
  const page = await context.newPage()
  await state.act(page, wallet)
  return { page, context }
}
