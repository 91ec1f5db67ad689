import type { ChallengePurpose } from '@countersign/protocol'
import type { SignerInput } from './Signer.ts'

/** A wallet that is being asked on behalf of the client, and the operation that waits for it. */
export type Prompt = SignerInput & {
  readonly purpose: ChallengePurpose
  readonly signal: AbortSignal
  readonly cancel: () => void
  done?: Promise<unknown>
}
