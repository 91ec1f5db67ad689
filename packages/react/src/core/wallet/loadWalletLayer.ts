import { loadOnce } from '../platform/loadOnce.ts'

/**
 * Fetched as soon as there is a sign of a person or a look at the wallet, so that it is there when somebody clicks: browsers let a
 * click open a wallet's window only for a moment.
 */
export const loadWalletLayer = /*#__PURE__*/ loadOnce(
  async () => (await import('./connection/walletLayer.ts')).walletLayer,
)
