import { installTestWallet } from './installTestWallet.ts'
import type { PageHost } from './PageCall.ts'

/**
 * Puts a test wallet into the page that the test itself runs in, such as the page of a test environment.
 *
 * @example
 * const wallet = announceTestWallet(await createTestWallet(), window)
 */
export function announceTestWallet<Wallet extends PageHost>(wallet: Wallet, page: Window): Wallet {
  wallet.watch(installTestWallet(page, wallet.info, wallet.answer))
  return wallet
}
