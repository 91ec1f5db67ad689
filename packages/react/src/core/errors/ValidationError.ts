import { CountersignError } from '@countersign/protocol'

/** Input that cannot be right: refused before anything is sent and before the session state moves. */
export class ValidationError extends CountersignError {
  override readonly name: string = 'ValidationError'

  constructor(message: string, details?: string) {
    super('ValidationError', message, { details })
  }
}
