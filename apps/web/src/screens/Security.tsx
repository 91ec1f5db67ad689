import { useWaysIn } from '@countersign/react'
import { PageHeader } from '../components/PageHeader.tsx'
import { PasskeysCard } from '../components/PasskeysCard.tsx'
import { PasswordCard } from '../components/PasswordCard.tsx'
import { RowsSkeleton } from '../components/RowsSkeleton.tsx'
import { SafeguardCards } from '../components/SafeguardCards.tsx'
import { StepUpDialog } from '../components/StepUpDialog.tsx'
import { useConfirmation } from '../lib/useConfirmation.ts'

export function Security() {
  const waysIn = useWaysIn()
  const { ask, dialog } = useConfirmation()
  return (
    <>
      <PageHeader title="Security">How you prove that it is you.</PageHeader>
      {waysIn.status === 'pending' ? (
        <RowsSkeleton label="Loading your ways in…" />
      ) : (
        // Where that could not be read, the form is shown in full and the server decides.
        <PasswordCard hasPassword={waysIn.status === 'error' || waysIn.data.password} onStepUp={ask} />
      )}
      <div className="mt-6">
        <PasskeysCard />
      </div>
      <div className="mt-6 flex flex-col gap-6">
        <SafeguardCards onStepUp={ask} />
      </div>
      <StepUpDialog {...dialog} />
    </>
  )
}
