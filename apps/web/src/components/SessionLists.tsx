import type { Session } from '@countersign/react'
import { ShieldCheck } from 'lucide-react'
import { say } from '../lib/say.ts'
import { sortSessions } from '../lib/sortSessions.ts'
import { useKeepFocus } from '../lib/useKeepFocus.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { EmptyState } from './EmptyState.tsx'
import { SessionRow } from './SessionRow.tsx'

type Props = { sessions: readonly Session[]; onRevoked: () => void; onRevokeOthers: () => void }

/** This device by itself, then all the others. */
export function SessionLists({ sessions, onRevoked, onRevokeOthers }: Props) {
  const sorted = sortSessions(sessions)
  useKeepFocus(sorted.length)
  const own = sorted.filter((session) => session.current)
  const others = sorted.filter((session) => !session.current)
  return (
    <div className="flex flex-col gap-6">
      {own.length > 0 && (
        <Card aria-labelledby="this-session">
          <h2 id="this-session" className="text-lg">
            {say('Here and now')}
          </h2>
          <ul className="-mb-5">
            {own.map((session) => (
              <SessionRow key={session.objectId} session={session} onRevoked={onRevoked} />
            ))}
          </ul>
        </Card>
      )}
      <Card aria-labelledby="other-sessions">
        <CardHeader
          id="other-sessions"
          title={say('Elsewhere')}
          aside={
            others.length > 0 && (
              <Button look="secondary" onClick={onRevokeOthers}>
                {say('Sign out all others')}
              </Button>
            )
          }
        />
        {others.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={say('Nowhere else')}>
            {say('Only this device is signed in to your account.')}
          </EmptyState>
        ) : (
          <ul className="-my-5 divide-y divide-line">
            {others.map((session) => (
              <SessionRow key={session.objectId} session={session} onRevoked={onRevoked} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
