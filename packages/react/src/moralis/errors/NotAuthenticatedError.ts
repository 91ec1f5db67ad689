import { type CountersignErrorOptions, errorCodes } from '@countersign/protocol'
import { ReactMoralisError } from './ReactMoralisError.ts'

/** The operation needs a signed-in user and there is none. */
export class NotAuthenticatedError extends ReactMoralisError {
  override readonly name: string = 'NotAuthenticatedError'

  constructor(message: string, options: CountersignErrorOptions = {}) {
    super(message, errorCodes.SessionMissing, options)
  }
}
