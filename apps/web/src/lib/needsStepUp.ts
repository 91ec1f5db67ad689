import type { CountersignError } from '@countersign/react'

/** Whether the server wants the person to show first that it is they who sit there. */
export function needsStepUp({ reason }: CountersignError): boolean {
  return reason === 'reauthenticationRequired'
}
