import { loadOnce } from '../../core/loadOnce.ts'

/** Fetched at the first call of a contract, or of `web3`. */
export const loadOnChain = loadOnce(async () => (await import('./onChain.ts')).onChain)
