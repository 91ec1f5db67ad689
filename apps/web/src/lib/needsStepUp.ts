import type { CountersignError } from '@countersign/react'

/** Whether the server wants the person to show first that it is they who sit there. */
export function needsStepUp({ code, details }: CountersignError): boolean {
  return code === 119 && details?.startsWith('step-up') === true
}
