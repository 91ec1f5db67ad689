import { type User, useDeleteUser } from '@countersign/react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { expectedSignOut } from '../lib/expectedSignOut.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'

export function DeleteAccountCard({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<string>()
  const { deleteUser, status } = useDeleteUser()

  const remove = () => {
    setError(undefined)
    expectedSignOut.begin()
    void deleteUser({
      onSuccess: () => toasts.add(say('Your account has been deleted.'), 'ok'),
      onError: (refusal) => {
        expectedSignOut.end()
        setError(describeError(refusal).message)
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
        {say('Your profile, your ways in and all your sessions are removed. This cannot be undone.')}
      </CardHeader>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={say('Delete your account?')}
        description={say('Your profile, your ways in and all your sessions are removed at once and for good.')}
        confirm={say('Delete for good')}
        danger
        typed={user.username}
        pending={status === 'pending'}
        error={error}
        onConfirm={remove}
      />
    </Card>
  )
}
