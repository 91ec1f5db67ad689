import { type User, useDeleteUser } from '@countersign/react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { expectedSignOut } from '../lib/expectedSignOut.ts'
import { formatDate } from '../lib/formatDate.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { serverClock } from '../lib/serverClock.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfig } from '../lib/useConfig.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'

const day = 24 * 3600

export function DeleteAccountCard({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<string>()
  const { deleteUser, status } = useDeleteUser()
  const { accountDeletionGrace: grace } = useConfig()
  const { ask, dialog } = useConfirmation()

  const remove = () => {
    setError(undefined)
    expectedSignOut.begin()
    void deleteUser({
      onSuccess: () => toasts.add(describeEnd(grace), 'ok'),
      onError: (refusal) => {
        expectedSignOut.end()
        if (!needsStepUp(refusal)) return setError(describeError(refusal).message)
        setOpen(false)
        ask(remove)
      },
    })
  }

  return (
    <Card aria-labelledby="delete-account" tone="danger">
      <CardHeader
        id="delete-account"
        title={say('Delete account')}
        aside={
          <Button look="danger-quiet" onClick={() => setOpen(true)}>
            {say('Delete account…')}
          </Button>
        }
      >
        {describeDeletion(grace) ??
          say('Your profile, your ways in and all your sessions are removed. This cannot be undone.')}
      </CardHeader>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={say('Delete your account?')}
        description={
          describeDeletion(grace) ??
          say('Your profile, your ways in and all your sessions are removed at once and for good.')
        }
        confirm={grace > 0 ? say('Delete account') : say('Delete for good')}
        danger
        typed={user.username}
        pending={status === 'pending'}
        error={error}
        onConfirm={remove}
      />
      <StepUpDialog {...dialog} />
    </Card>
  )
}

/** What happens, where the account can be restored for a while. */
function describeDeletion(grace: number): string | undefined {
  if (grace === 0) return undefined
  const count = Math.max(1, Math.floor(grace / day))
  return say(
    'Your account is hidden and every device is signed out at once. For {count, plural, one {# day} other {# days}} you can restore it by signing in; then it is deleted for good.',
    { count },
  )
}

function describeEnd(grace: number): string {
  if (grace === 0) return say('Your account has been deleted.')
  const date = formatDate(new Date(serverClock.now() + grace * 1000))
  return say('Your account will be deleted on {date}. Sign in before then to restore it.', { date })
}
