import type { CountersignError } from '@countersign/protocol'

export type WalletProof = { readonly message: string; readonly signature: string }

/** The message was signed too late, and has to be signed again. */
export function isExpired({ reason }: CountersignError): boolean {
  return reason === 'challengeExpired'
}
