import { ValidationError } from '../errors/ValidationError.ts'

export type EthersCode = 'INVALID_ARGUMENT' | 'NUMERIC_FAULT' | 'NETWORK_ERROR'

/** Input that a helper refuses, in the words of ethers 5: `reason` is its sentence, `ethersCode` what it has as `code`. */
export class HelperError extends ValidationError {
  override readonly name: string = 'HelperError'
  override readonly reason: string
  readonly ethersCode: EthersCode

  constructor(reason: string, ethersCode: EthersCode, mend: string) {
    super(reason, `${ethersCode}: ${mend}`)
    this.reason = reason
    this.ethersCode = ethersCode
  }

  /** `reason` is a sentence here, as ethers has it. */
  override get docs(): string {
    return 'docs/errors.md#validationError'
  }
}
