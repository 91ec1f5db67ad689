import type { Confirmation } from '@countersign/react'
import { say } from '../lib/say.ts'
import { Dialog } from './Dialog.tsx'
import { StepUpForm } from './StepUpForm.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirmed: (confirmation: Confirmation) => void
  description?: string
}

/** Whoever finds an open page must not be able to change the ways in: the person shows once more who they are. */
export function StepUpDialog({ open, onOpenChange, onConfirmed, description }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={say('Is it you?')}
      description={
        description ?? say('You signed in a while ago. Before this is changed, show once more that it is you.')
      }
    >
      <StepUpForm onConfirmed={onConfirmed} />
    </Dialog>
  )
}
