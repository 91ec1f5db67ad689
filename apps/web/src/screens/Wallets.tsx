import { useWaysIn } from '@countersign/react'
import { Plus, WalletMinimal } from 'lucide-react'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { CardHeader } from '../components/CardHeader.tsx'
import { ConnectedWalletCard } from '../components/ConnectedWalletCard.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { RowsSkeleton } from '../components/RowsSkeleton.tsx'
import { StepUpDialog } from '../components/StepUpDialog.tsx'
import { UndoCard } from '../components/UndoCard.tsx'
import { WalletList } from '../components/WalletList.tsx'
import { say } from '../lib/say.ts'
import { signInSheet } from '../lib/signInSheet.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { useKeepFocus } from '../lib/useKeepFocus.ts'

export function Wallets() {
  const waysIn = useWaysIn()
  const { ask, dialog } = useConfirmation()
  const link = (
    <Button onClick={() => signInSheet.open({ purpose: 'link' })}>
      <Plus size={18} aria-hidden="true" />
      {say('Link a wallet')}
    </Button>
  )
  const { data } = waysIn
  const count = data?.wallets.length ?? 0
  useKeepFocus(data && count)
  return (
    <>
      <PageHeader title={say('Wallets')}>
        {say('Each of these opens your account. You proved that they are yours.')}
      </PageHeader>
      {waysIn.status === 'pending' && <RowsSkeleton label={say('Loading your wallets…')} rows={2} titled tall />}
      {waysIn.status === 'error' && (
        <Card className={data && 'mb-6'}>
          <LoadFailure
            title={say('Your wallets could not be loaded')}
            error={waysIn.error}
            onRetry={() => void waysIn.refetch()}
          />
        </Card>
      )}
      {data && (
        <div className="flex flex-col gap-6">
          {count === 0 ? (
            <Card>
              <EmptyState icon={WalletMinimal} title={say('No wallet yet')} actions={link}>
                {say('Link one, and it signs you in without a password. Linking is free and sends nothing on chain.')}
              </EmptyState>
            </Card>
          ) : (
            <Card aria-labelledby="linked-wallets">
              <CardHeader
                id="linked-wallets"
                title={say('{count, plural, one {# wallet} other {# wallets}}', { count })}
                aside={link}
              >
                {say('The primary one is the address that applications see first.')}{' '}
                {say('Link a wallet of another account of yours, and the two can become one.')}
              </CardHeader>
              <WalletList waysIn={data} onStepUp={ask} />
            </Card>
          )}
          <UndoCard onStepUp={ask} />
          <ConnectedWalletCard />
        </div>
      )}
      <StepUpDialog {...dialog} />
    </>
  )
}
