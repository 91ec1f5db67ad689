import { CountersignError } from '@countersign/protocol'
import { ProviderError } from '../errors/ProviderError.ts'

/** Throws what a wallet threw as our error. The wallet's own, with its code and data, is the cause (R16). */
export function toWalletError(error: unknown): never {
  if (error instanceof CountersignError) throw error
  const cause = error instanceof Error ? error : new ProviderError(error)
  const { code } = cause as { code?: unknown }
  const details = code === undefined ? 'The wallet gave no code.' : `The wallet answered with the code ${code}.`
  throw new CountersignError('OtherCause', cause.message, { cause, details })
}
