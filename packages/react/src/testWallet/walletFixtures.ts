import { addTestWallet, type TestContext } from './addTestWallet.ts'
import type { TestWallet, TestWalletOptions } from './TestWallet.ts'

type Use<Value> = (value: Value) => Promise<void>

export type WalletFixtures = {
  readonly walletOptions: TestWalletOptions
  readonly wallet: TestWallet
}

/**
 * Fixtures for Playwright's `test.extend`: `wallet` is a test wallet in every page, `walletOptions` says how it is made.
 *
 * @example
 * import { test as base } from '@playwright/test'
 * import { type WalletFixtures, walletFixtures } from '@countersign/react/testing'
 *
 * const test = base.extend<WalletFixtures>(walletFixtures)
 * test('a person may say no', async ({ page, wallet }) => {
 *   wallet.rejectNext()
 *   await page.goto('/')
 *   await page.getByRole('button', { name: 'Connect' }).click()
 * })
 */
export const walletFixtures: {
  walletOptions: [TestWalletOptions, { option: true }]
  wallet: (fixtures: { context: TestContext; walletOptions: TestWalletOptions }, use: Use<TestWallet>) => Promise<void>
} = {
  walletOptions: [{}, { option: true }],
  wallet: async ({ context, walletOptions }, use) => {
    await use(await addTestWallet(context, walletOptions))
  },
}
