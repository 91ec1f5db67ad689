import type { Signer } from './Signer.ts'

/** EVM addresses are the same in every spelling of their letters; Solana's are told apart by it. */
export function isSameAddress(namespace: Signer['namespace'], a: string | undefined, b: string | undefined): boolean {
  return namespace === 'eip155' ? a?.toLowerCase() === b?.toLowerCase() : a === b
}
