import { useRequestEmailVerification } from '@countersign/react'
import { describeError } from '../lib/describeError.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { OutboxNotice } from './OutboxNotice.tsx'

export function ResendVerification({ email }: { email: string }) {
  const { requestEmailVerification, status } = useRequestEmailVerification()
  const send = () =>
    void requestEmailVerification(
      { email },
      {
        onSuccess: () => toasts.add(say('A new link is on its way to {email}.', { email }), 'ok'),
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-warn-soft p-3.5 text-sm">
        <p className="min-w-0 flex-1 basis-56">
          {say('We sent a link to this address. Open it to show that the address is yours.')}
        </p>
        <Button look="secondary" pending={status === 'pending'} onClick={send}>
          {say('Send it again')}
        </Button>
      </div>
      {status === 'success' && <OutboxNotice />}
    </div>
  )
}
