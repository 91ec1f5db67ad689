import { CountersignError } from '@countersign/protocol'

export type Revert = {
  /** In plain words, at most one line. It was written by the contract: show it as text and as nobody's promise. */
  readonly reason: string
  /** The contract's own error, where the ABI names it. */
  readonly errorName?: string
  readonly args?: readonly unknown[]
  /** What the contract answered with, in hexadecimal. */
  readonly data?: string
  /** The transaction that failed on the chain; absent where the try before sending failed and nothing was sent. */
  readonly hash?: string
}

/** A contract refused a call. The provider's error, with its code and data, is the cause (R16). */
export class RevertError extends CountersignError {
  override readonly name: string = 'RevertError'
  /** What the contract said. */
  readonly revertReason: string
  readonly errorName: string | undefined
  readonly args: readonly unknown[] | undefined
  readonly data: string | undefined
  readonly hash: string | undefined

  constructor({ reason, errorName, args, data, hash }: Revert, cause?: unknown) {
    const details = hash ? `The transaction ${hash} is on the chain and changed nothing.` : 'Nothing was sent.'
    super('OtherCause', `The contract refused: ${reason}`, { reason: 'contractReverted', cause, details })
    this.revertReason = reason
    this.errorName = errorName
    this.args = args
    this.data = data
    this.hash = hash
  }
}
