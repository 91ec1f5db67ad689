import { type WalletFixtures, walletFixtures } from '@countersign/react/testing'
import { test } from './test.ts'

/** A test whose pages have a wallet in them. */
export const walletTest = test.extend<WalletFixtures>({
  ...walletFixtures,
  wallet: [walletFixtures.wallet, { auto: true }],
})
