import { loadOnce } from '../../platform/loadOnce.ts'

/** Fetched along with the wallet layer, which a connector of one's own can do without. */
export const loadWalletLinks = /*#__PURE__*/ loadOnce(async () => (await import('./walletLinks.ts')).walletLinks)
