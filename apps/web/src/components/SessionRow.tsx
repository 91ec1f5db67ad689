import { type Session, shortenAddress, useRevokeSession } from '@countersign/react'
import { Laptop, Smartphone, Tablet, Terminal } from 'lucide-react'
import { describeDevice } from '../lib/describeDevice.ts'
import { describeError } from '../lib/describeError.ts'
import { describeOrigin } from '../lib/describeOrigin.ts'
import { nameDevice } from '../lib/nameDevice.ts'
import { readProof } from '../lib/readProof.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { SessionProof } from './SessionProof.tsx'

const icons = { desktop: Laptop, phone: Smartphone, tablet: Tablet, program: Terminal }

/** One place where the person is signed in. */
export function SessionRow({ session, onRevoked }: { session: Session; onRevoked: () => void }) {
  const { revokeSession, status } = useRevokeSession()
  const device = describeDevice(session.userAgent)
  const name = nameDevice(session.userAgent)
  const Icon = icons[device.kind]
  const signedBy = session.proof && readProof(session.proof)?.address
  const revoke = () =>
    void revokeSession(
      { objectId: session.objectId },
      {
        onSuccess: () => {
          toasts.add(say('Signed out: {name}.', { name }), 'ok')
          onRevoked()
        },
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <li className="flex flex-wrap items-start gap-4 py-5">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-muted">
        <Icon size={21} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <h3 className="flex flex-wrap items-center gap-2 text-base">
          {name} {session.current && <Badge tone="accent">{say('This device')}</Badge>}
        </h3>
        <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted *:flex *:flex-wrap *:gap-x-1">
          <div>
            <dt>
              {describeOrigin(session.createdWith)}
              {signedBy && (
                <>
                  {' '}
                  <span title={signedBy} className="font-mono text-xs">
                    {shortenAddress(signedBy)}
                  </span>
                </>
              )}
            </dt>
            <dd>
              <RelativeTime date={session.createdAt} />
            </dd>
          </div>
          {session.lastUsedAt && (
            <div>
              <dt>{say('Last used')}</dt>
              <dd>
                <RelativeTime date={session.lastUsedAt} />
              </dd>
            </div>
          )}
          {session.expiresAt && (
            <div>
              <dt>{say('Ends')}</dt>
              <dd>
                <RelativeTime date={session.expiresAt} />
              </dd>
            </div>
          )}
          {session.ipAddress && (
            <div>
              <dt className="sr-only">{say('Network address')}</dt>
              <dd className="font-mono text-xs/6">{session.ipAddress}</dd>
            </div>
          )}
        </dl>
        {session.proof && <SessionProof proof={session.proof} />}
      </div>
      {!session.current && (
        <Button
          look="secondary"
          pending={status === 'pending'}
          onClick={revoke}
          aria-label={say('Sign out {name}', { name })}
          className="max-sm:ms-15"
        >
          {say('Sign out')}
        </Button>
      )}
    </li>
  )
}
