import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'
import { useConfirmation } from './useConfirmation.ts'

/** Adds a passkey, and asks the person to confirm who they are first where the server wants that. */
export function AddPasskeyFlow({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { ask, dialog } = useConfirmation()
  return (
    <>
      <AddPasskeyDialog open={open} onOpenChange={onOpenChange} onStepUp={ask} />
      <StepUpDialog {...dialog} />
    </>
  )
}
