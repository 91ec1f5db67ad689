import type { Namespace } from '../Namespace.ts'

/**
 * The names that the older clients give to wallets, and what they stand for. The two others that they know are
 * off: `moralisErd` carries no signature at all, and `moralisDot` signs with a curve that is not offered here.
 */
export const providers: ReadonlyMap<string, Namespace> = new Map([
  ['moralisEth', 'eip155'],
  ['moralisSol', 'solana'],
])
