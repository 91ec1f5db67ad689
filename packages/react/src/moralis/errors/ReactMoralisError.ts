import { CountersignError, type CountersignErrorOptions, errorCodes } from '@countersign/protocol'

/** The base of the older names' errors. It is an error of this package too: code, details and docs are there. */
export class ReactMoralisError extends CountersignError {
  // The misspelt flag is what older applications ask for.
  static isReactMoraliserrpr = true
  override readonly name: string = 'ReactMoralisError'

  constructor(message: string, code: number = errorCodes.OtherCause, options: CountersignErrorOptions = {}) {
    super(code, message, options)
  }
}
