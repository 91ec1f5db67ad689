import { useAccountSecurity, useSession } from '@countersign/react'
import { findSessionUser } from '../lib/findSessionUser.ts'
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
  if (security.status === 'pending') return <RowsSkeleton label="Loading your safeguards…" />
  if (security.status === 'error') {
    const title = 'Your recovery codes and alerts could not be loaded'
    return (
      <Card>
        <LoadFailure title={title} error={security.error} onRetry={() => void security.refetch()} />
      </Card>
    )
  }
  const { recoveryCodes, signInAlerts } = security.data
  return (
    <>
      <RecoveryCodesCard codes={recoveryCodes} onStepUp={onStepUp} />
      <AlertsCard user={user} isOn={signInAlerts} onStepUp={onStepUp} />
    </>
  )
}
