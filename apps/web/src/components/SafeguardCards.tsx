import { useAccountSecurity, useSession } from '@countersign/react'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { say } from '../lib/say.ts'
import { AlertsCard } from './AlertsCard.tsx'
import { Card } from './Card.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { RecoveryCodesCard } from './RecoveryCodesCard.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'

/** Recovery codes and alerts. */
export function SafeguardCards({ onStepUp }: { onStepUp: (again: () => void) => void }) {
  const user = findSessionUser(useSession())
  const security = useAccountSecurity()
  if (!user) return null
  if (security.status === 'pending')
    return (
      <>
        <RowsSkeleton label={say('Loading your recovery codes…')} titled rows={1} />
        <RowsSkeleton label={say('Loading your alerts…')} titled rows={1} />
      </>
    )
  if (!security.data) {
    const title = say('Your recovery codes and alerts could not be loaded')
    return (
      <Card>
        <LoadFailure title={title} error={security.error} onRetry={() => void security.refetch()} />
      </Card>
    )
  }
  return (
    <>
      <RecoveryCodesCard codes={security.data.recoveryCodes} onStepUp={onStepUp} />
      <AlertsCard user={user} security={security.data} onStepUp={onStepUp} />
    </>
  )
}
