import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'
import { useConfirmation } from './useConfirmation.ts'

/** Adds a passkey, after a confirmation if the server requires one. */
export function AddPasskeyFlow({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { ask, dialog } = useConfirmation()
  return (
    <>
      <AddPasskeyDialog open={open} onOpenChange={onOpenChange} onStepUp={ask} />
      <StepUpDialog {...dialog} />
    </>
  )
}
