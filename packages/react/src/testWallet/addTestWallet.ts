import { createTestWallet } from './createTestWallet.ts'
import { installTestWallet } from './installTestWallet.ts'
import type { PageAnswer, PageCall, PageEvent } from './PageCall.ts'
import type { TestWallet, TestWalletOptions } from './TestWallet.ts'

/** As much of Playwright's browser context as the wallet needs. */
export type TestContext = {
  exposeBinding(name: string, answer: (source: unknown, call: PageCall) => Promise<PageAnswer>): Promise<unknown>
  addInitScript(script: { content: string }): Promise<unknown>
  pages(): readonly { evaluate(script: string): Promise<unknown> }[]
}

/**
 * Puts a test wallet into every page of a Playwright context, before the pages are opened. The keys stay in the test's
 * own process, so the wallet keeps its permissions over reloads, as a true one does.
 *
 * @example
 * const second = await addTestWallet(context, { name: 'Second', rdns: 'org.example.second', announce: 'later' })
 */
export async function addTestWallet(context: TestContext, options: TestWalletOptions = {}): Promise<TestWallet> {
  const wallet = await createTestWallet(options)
  const name = `testWallet_${wallet.info.uuid.replaceAll('-', '')}`
  await context.exposeBinding(name, (_source, call) => wallet.answer(call))
  const info = JSON.stringify(wallet.info)
  await context.addInitScript({
    content: `window.${name}_tell = (${installTestWallet})(window, ${info}, (call) => window.${name}(call))`,
  })
  wallet.watch(async (event: PageEvent) => {
    const script = `window.${name}_tell?.(${JSON.stringify(event)})`
    // A page that is just being left hears nothing.
    await Promise.all(context.pages().map((page) => page.evaluate(script).catch(() => undefined)))
  })
  return wallet
}
