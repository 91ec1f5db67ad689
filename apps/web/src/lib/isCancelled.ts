import { type CountersignError, PasskeyError } from '@countersign/react'

/** Whether the person changed their mind. That is no fault, and is not shown as one. */
export function isCancelled(error: CountersignError): boolean {
  return error instanceof PasskeyError && error.reason === 'cancelled'
}
