import { type Activity, useActivity, useSessions } from '@countersign/react/account'
import { useState } from 'react'
import { ActivityRows } from '../../account/ActivityRows.tsx'
import { ReportSignInDialog } from '../../account/ReportSignInDialog.tsx'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AlertsCard } from './AlertsCard.tsx'
import { MergeCard } from './MergeCard.tsx'
import { PushCard } from './PushCard.tsx'
import { SignInMethodsCard } from './SignInMethodsCard.tsx'

export function Security() {
  const { ask, dialog } = useConfirmation()
  return (
    <>
      <PageHeader title={t('Security')}>{t('Manage how you sign in and recover your account.')}</PageHeader>
      <div className="flex flex-col gap-6">
        <SignInMethodsCard onStepUp={ask} />
        <MergeCard onStepUp={ask} />
        <AlertsCard onStepUp={ask} />
        <PushCard />
        <SignInsCard />
      </div>
      <StepUpDialog {...dialog} />
    </>
  )
}

/** The latest sign-ins, each of which can be reported. */
function SignInsCard() {
  const sessions = useSessions()
  const latest = useActivity({ limit: 3, actions: ['signIn', 'signUp'] })
  const [reported, setReported] = useState<Activity>()
  const ownSession = sessions.data?.find(({ current }) => current)?.objectId
  return (
    <Card aria-labelledby="sign-ins">
      <CardHeader
        id="sign-ins"
        title={t('Latest sign-ins')}
        aside={
          <ButtonLink look="secondary" to="/account/activity?kind=sign-ins">
            {t('All sign-ins')}
          </ButtonLink>
        }
      >
        {t('Don’t recognize one? Select “This wasn’t me” to sign it out and secure your account.')}
      </CardHeader>
      <ReadingStatus
        reading={latest}
        failure={t('Your sign-ins could not be loaded')}
        always
        label={t('Loading your sign-ins…')}
        bare
      />
      {latest.status === 'success' && (
        <ActivityRows
          entries={latest.data.slice(0, 3)}
          ownSession={ownSession}
          onReport={setReported}
          heading="h3"
          className="-my-3.5 divide-y divide-line"
        />
      )}
      <ReportSignInDialog entry={reported} onClose={() => setReported(undefined)} />
    </Card>
  )
}
