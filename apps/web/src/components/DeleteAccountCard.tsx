import { type User, useDeleteUser } from '@countersign/react'
import { useState } from 'react'
import { expectedSignOut } from '../lib/expectedSignOut.ts'
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
      onSuccess: () => toasts.add('Your account has been deleted.', 'ok'),
      onError: (refusal) => {
        expectedSignOut.end()
        setError(refusal.message)
      },
    })
  }

  return (
    <Card aria-labelledby="delete-account" tone="danger">
      <CardHeader
        id="delete-account"
        title="Delete account"
        aside={
          <Button look="danger-quiet" onClick={() => setOpen(true)}>
            Delete account…
          </Button>
        }
      >
        Your profile and all your sessions are removed. This cannot be undone.
      </CardHeader>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description="Your profile, your fields and all your sessions are removed at once and for good."
        confirm="Delete for good"
        danger
        typed={user.username}
        pending={status === 'pending'}
        error={error}
        onConfirm={remove}
      />
    </Card>
  )
}
