import { type Activity, type CountersignError, useRevokeOtherSessions, useRevokeSession } from '@countersign/react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { describeError } from '../lib/describeError.ts'
import { nameDevice } from '../lib/nameDevice.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { whereToMend } from '../lib/whereToMend.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** A sign-in that was somebody else: their session ends, then the way in that they used is closed. */
export function WasNotMeDialog({ entry, onClose }: { entry: Activity | undefined; onClose: () => void }) {
  const navigate = useNavigate()
  const { revokeSession, status } = useRevokeSession()
  const { revokeOtherSessions, status: othersStatus } = useRevokeOtherSessions()
  const [error, setError] = useState<string>()
  const close = () => {
    setError(undefined)
    onClose()
  }
  const end = () => {
    if (!entry) return
    setError(undefined)
    const { to, next } = whereToMend(entry)
    const { session } = entry.details
    const callbacks = {
      onSuccess: () => {
        close()
        toasts.add(next, 'ok')
        void navigate(to)
      },
      onError: (refusal: CountersignError) => setError(describeError(refusal).message),
    }
    // Sign-ins of older releases do not say which session they opened: then every other one ends.
    if (typeof session === 'string') void revokeSession({ objectId: session }, callbacks)
    else void revokeOtherSessions(callbacks)
  }
  const device = nameDevice(entry?.userAgent)
  return (
    <ConfirmDialog
      open={entry !== undefined}
      onOpenChange={close}
      title={say('Was that somebody else?')}
      description={
        entry &&
        [
          say('{device} is signed out at once, wherever it is.', { device }),
          whereToMend(entry).plan,
          // Codes outlive the session in which they were made.
          entry.details.authProvider !== 'recovery' &&
            say('Make new recovery codes as well, in case some were made there.'),
        ]
          .filter(Boolean)
          .join(' ')
      }
      confirm={say('Sign it out and go on')}
      danger
      pending={status === 'pending' || othersStatus === 'pending'}
      error={error}
      onConfirm={end}
    />
  )
}
