import type { CountersignError } from '@countersign/react'

/** Whether the person changed their mind, at a passkey or in a wallet (4001). That is no fault, and is not shown as one. */
export function isCancelled(error: CountersignError): boolean {
  if (error.reason === 'passkeyCancelled') return true
  return error.cause instanceof Error && 'code' in error.cause && error.cause.code === 4001
}
