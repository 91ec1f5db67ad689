import { CountersignError } from '@countersign/protocol'

/** The operation needs a signed-in user and there is none. */
export class NotAuthenticatedError extends CountersignError {
  override readonly name: string = 'NotAuthenticatedError'

  constructor(message: string) {
    super('SessionMissing', message, {
      details: 'Call logIn or signUp first, or wait until the session is authenticated.',
    })
  }
}
