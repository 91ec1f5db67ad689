import { CountersignError } from '@countersign/protocol'

/** Input that cannot be right: refused before anything is sent and before the session state moves. */
export class ValidationError extends CountersignError {
  override readonly name: string = 'ValidationError'

  constructor(message: string, details = 'It was refused here, and nothing was sent.') {
    super('ValidationError', message, { details })
  }
}
