import type { ChallengePurpose } from '@countersign/protocol'
import type { ChosenSigner } from './readSigner.ts'

/** What tells one wish for a signature from another. */
export function createWish(purpose: ChallengePurpose, chosen: ChosenSigner): readonly unknown[] {
  return [purpose, chosen.signer, chosen.connector, chosen.chainId]
}
