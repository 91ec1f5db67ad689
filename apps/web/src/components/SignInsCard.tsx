import { type Activity, useActivity, useSessions } from '@countersign/react'
import { useState } from 'react'
import { say } from '../lib/say.ts'
import { ActivityRows } from './ActivityRows.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'
import { WasNotMeDialog } from './WasNotMeDialog.tsx'

/** Who came in of late, with the way to say that it was somebody else. */
export function SignInsCard() {
  const sessions = useSessions()
  const latest = useActivity({ limit: 3, actions: ['signIn', 'signUp'] })
  const [reported, setReported] = useState<Activity>()
  const ownSession = sessions.data?.find(({ current }) => current)?.objectId
  return (
    <Card aria-labelledby="sign-ins">
      <CardHeader
        id="sign-ins"
        title={say('Latest sign-ins')}
        aside={
          <ButtonLink look="secondary" to="/account/activity?kind=sign-ins">
            {say('All sign-ins')}
          </ButtonLink>
        }
      >
        {say('If one of them was not you, say so: it is signed out, and you are led to what it used.')}
      </CardHeader>
      {latest.status === 'pending' && <RowsSkeleton label={say('Loading your sign-ins…')} bare />}
      {latest.status === 'error' && (
        <LoadFailure
          title={say('Your sign-ins could not be loaded')}
          error={latest.error}
          onRetry={() => void latest.refetch()}
        />
      )}
      {latest.status === 'success' && (
        <ActivityRows
          entries={latest.data.slice(0, 3)}
          ownSession={ownSession}
          onReport={setReported}
          heading="h3"
          className="-my-4 divide-y divide-line"
        />
      )}
      <WasNotMeDialog entry={reported} onClose={() => setReported(undefined)} />
    </Card>
  )
}
