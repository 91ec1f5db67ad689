import { loadOnce } from '@countersign/react/adapter'

/** Fetched at the first call of a contract, or of `web3`. */
export const loadOnChain = /*#__PURE__*/ loadOnce(async () => (await import('./onChain.ts')).onChain)
