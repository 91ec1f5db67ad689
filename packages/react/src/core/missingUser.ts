import { CountersignError } from '@countersign/protocol'

/** The server answered, and told of no user. */
export function missingUser(after: string): CountersignError {
  return new CountersignError('ObjectNotFound', `No user data found after ${after}`, {
    details: 'The answer holds no user. Check that serverUrl names a Countersign server and no proxy changes answers.',
  })
}
