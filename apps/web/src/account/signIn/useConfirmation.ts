import type { CountersignError } from '@countersign/react'
import { useState } from 'react'

/** Holds an action until the person has confirmed their identity; used with `StepUpDialog`. */
export function useConfirmation() {
  const [waiting, setWaiting] = useState<{ goOn: () => void }>()
  return {
    ask: (goOn: () => void) => setWaiting({ goOn }),
    dialog: {
      open: waiting !== undefined,
      onOpenChange: () => setWaiting(undefined),
      onConfirmed: () => {
        setWaiting(undefined)
        waiting?.goOn()
      },
    },
  }
}

/** Returns true if the server requires a recent confirmation. */
export function needsStepUp({ reason }: CountersignError): boolean {
  return reason === 'reauthenticationRequired'
}
