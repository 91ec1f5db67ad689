import { useDisconnectWallet, useWallet } from '@countersign/react'
import { useSignInMethods, type Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { Plus, WalletMinimal } from 'lucide-react'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { isSameAddress } from '../../account/wallets/describeWallet.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { useShowsKept } from '../../ui/keptSince.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useKeepFocus } from '../../ui/useKeepFocus.ts'
import { UndoCard } from './UndoCard.tsx'
import { WalletList } from './WalletList.tsx'

export function Wallets() {
  const signInMethods = useSignInMethods()
  const { ask, dialog } = useConfirmation()
  const link = (
    <Button onClick={() => signInSheet.open({ purpose: 'link' })}>
      <Plus size={18} aria-hidden="true" />
      {t('Link a wallet')}
    </Button>
  )
  const { data } = signInMethods
  const count = data?.wallets.length ?? 0
  useKeepFocus(data && count)
  useShowsKept(signInMethods)
  return (
    <>
      <PageHeader title={t('Wallets')}>
        {count > 0 && t('Use any of these wallets to sign in. You’ve verified that you own them.')}
      </PageHeader>
      <ReadingStatus
        reading={signInMethods}
        label={t('Loading your wallets…')}
        failure={t('Your wallets could not be loaded')}
        always
        rows={2}
        titled
        tall
      />
      {data && (
        <div className="flex flex-col gap-6">
          {count === 0 ? (
            <Card>
              <EmptyState icon={WalletMinimal} title={t('No wallets yet')} actions={link}>
                {t('Link a wallet to sign in without a password. It’s free and doesn’t send a transaction.')}
              </EmptyState>
            </Card>
          ) : (
            <Card aria-labelledby="linked-wallets">
              <CardHeader
                id="linked-wallets"
                title={t('{count, plural, one {# wallet} other {# wallets}}', { count })}
                aside={link}
              >
                {t('Apps see your primary wallet’s address first.')}{' '}
                {t('To merge another account you own, link one of its wallets.')}
              </CardHeader>
              <WalletList signInMethods={data} onStepUp={ask} />
            </Card>
          )}
          <UndoCard onStepUp={ask} />
          <ConnectedWalletCard wallets={data.wallets} />
        </div>
      )}
      <StepUpDialog {...dialog} />
    </>
  )
}

/** A wallet that this page is connected to, on an account that is not linked; a linked one says so in its row. */
function ConnectedWalletCard({ wallets }: { wallets: readonly Wallet[] }) {
  const wallet = useWallet()
  const { disconnectWallet, status } = useDisconnectWallet()
  if (wallet.status !== 'connected') return null
  const { connector, account } = wallet
  if (account && wallets.some(({ address }) => isSameAddress(address, account))) return null
  const disconnect = () =>
    void disconnectWallet({
      onSuccess: () =>
        toasts.add(t('{wallet} disconnected. You’re still signed in.', { wallet: connector.name }), 'ok'),
      onError: (error) => toasts.add(describeError(error).message, 'danger'),
    })
  return (
    <Card aria-labelledby="connected-wallet">
      <CardHeader
        id="connected-wallet"
        title={t('In this browser')}
        aside={
          <Button look="secondary" pending={status === 'pending'} onClick={disconnect}>
            {t('Disconnect')}
          </Button>
        }
      >
        {account
          ? t('{wallet} is connected with {account}.', { wallet: connector.name, account: shortenAddress(account) })
          : t('{wallet} is connected.', { wallet: connector.name })}{' '}
        {t('This site can request signatures. Disconnecting doesn’t sign you out.')}
      </CardHeader>
    </Card>
  )
}
