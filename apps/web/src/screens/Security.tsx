import { useWaysIn } from '@countersign/react'
import { ConfirmationCard } from '../components/ConfirmationCard.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { PasskeysCard } from '../components/PasskeysCard.tsx'
import { PasswordCard } from '../components/PasswordCard.tsx'
import { PasswordSkeleton } from '../components/PasswordSkeleton.tsx'
import { SafeguardCards } from '../components/SafeguardCards.tsx'
import { SignInsCard } from '../components/SignInsCard.tsx'
import { StepUpDialog } from '../components/StepUpDialog.tsx'
import { say } from '../lib/say.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'

export function Security() {
  const waysIn = useWaysIn()
  const { ask, dialog } = useConfirmation()
  return (
    <>
      <PageHeader title={say('Security')}>{say('How you prove that it is you.')}</PageHeader>
      <div className="flex flex-col gap-6">
        {waysIn.status === 'pending' ? (
          <PasswordSkeleton label={say('Loading your ways in…')} />
        ) : (
          // Where that could not be read, the form is shown in full and the server decides.
          <PasswordCard hasPassword={waysIn.data?.password ?? true} onStepUp={ask} />
        )}
        <PasskeysCard />
        <SafeguardCards onStepUp={ask} />
        <SignInsCard />
        <ConfirmationCard />
      </div>
      <StepUpDialog {...dialog} />
    </>
  )
}
