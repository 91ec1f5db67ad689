import { type CountersignError, errorCodes } from '@countersign/protocol'

/** Says whether the failure tells nothing about the session: no connection, a server in trouble, a rate limit. */
export function isTransient(error: CountersignError): boolean {
  return error.code === errorCodes.ConnectionFailed || error.status >= 500 || error.status === 429
}
