import { type CountersignErrorOptions, errorCodes } from '@countersign/protocol'
import { ReactMoralisError } from './ReactMoralisError.ts'

/** Input that cannot be right: refused before anything is sent and before the session state moves. */
export class ValidationError extends ReactMoralisError {
  override readonly name: string = 'ValidationError'

  constructor(message: string, options: CountersignErrorOptions = {}) {
    super(message, errorCodes.ValidationError, options)
  }
}
