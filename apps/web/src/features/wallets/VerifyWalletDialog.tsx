import { type Connector, type CountersignError, useConnectors, useConnectWallet } from '@countersign/react'
import { useReauthenticate, useSignInMethods, type Wallet } from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import { WalletMinimal } from 'lucide-react'
import { useRef, useState } from 'react'
import { isSameAddress, nameWallet } from '../../account/wallets/describeWallet.ts'
import { useNames } from '../../chain/useNames.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'

const none: readonly string[] = []

type Outcome = { status: 'cancelled' } | { status: 'other'; account: string } | { status: 'failed'; message: string }

/** Has a certain wallet sign again: users who lost its key find out here and not when they need it. */
export function VerifyWalletDialog({ wallet, onClose }: { wallet: Wallet | undefined; onClose: () => void }) {
  const signInMethods = useSignInMethods()
  const connectors = useConnectors()
  const { connectWallet } = useConnectWallet()
  const { reauthenticate: stepUp } = useReauthenticate()
  const [asked, setAsked] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const running = useRef<AbortController>(undefined)
  const nameOf = useNames(wallet ? [wallet.address] : none)

  const close = () => {
    running.current?.abort()
    setAsked(undefined)
    setOutcome(undefined)
    onClose()
  }
  const verify = async ({ address, chainId, ...rest }: Wallet, connector: Connector) => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const onError = (error: CountersignError) => {
      if (signal.aborted) return
      setOutcome(
        isCancelled(error) ? { status: 'cancelled' } : { status: 'failed', message: describeError(error).message },
      )
    }
    setOutcome(undefined)
    setAsked(connector.id)
    // Any wallet of the account would confirm the session, so the account is looked at before it signs.
    const connected = await connectWallet({ connector }, { signal, onError })
    if (connected?.account && !isSameAddress(address, connected.account))
      setOutcome({ status: 'other', account: connected.account })
    else if (connected) {
      const onSuccess = () => {
        toasts.add(t('{name} verified.', { name: nameWallet({ address, ...rest }, nameOf) }), 'ok')
        void signInMethods.refetch()
        close()
      }
      await stepUp({ connector, ...(chainId !== undefined && { chainId }) }, { signal, onError, onSuccess })
    }
    if (!signal.aborted) setAsked(undefined)
  }

  const short = shortenAddress(wallet?.address ?? '')
  const usable = connectors.filter(({ kind, namespace }) => kind !== 'network' && namespace === wallet?.namespace)
  return (
    <Dialog
      open={wallet !== undefined}
      onOpenChange={close}
      title={wallet ? t('Do you still control {name}?', { name: nameWallet(wallet, nameOf) }) : ''}
      description={t('Sign a message to verify it. It’s free and doesn’t send a transaction.')}
    >
      <div className="flex flex-col gap-3">
        {outcome?.status === 'cancelled' && (
          <Alert title={t('Nothing was signed.')}>{t('You can try again at any time.')}</Alert>
        )}
        {outcome?.status === 'failed' && <Alert tone="danger" title={outcome.message} />}
        {outcome?.status === 'other' && (
          <Alert tone="warn" title={t('Your wallet is using {account}.', { account: shortenAddress(outcome.account) })}>
            {t('Switch to {account} there, then try again.', { account: short })}
          </Alert>
        )}
        {usable.length === 0 && (
          <p className="text-sm text-muted">
            {t('Wallet {account} isn’t available in this browser. Unlock or enable it and it will appear here.', {
              account: short,
            })}
          </p>
        )}
        {wallet &&
          usable.map((connector, index) => (
            <Button
              key={connector.id}
              look={index === 0 ? 'primary' : 'secondary'}
              pending={asked === connector.id}
              disabled={asked !== undefined && asked !== connector.id}
              onClick={() => void verify(wallet, connector)}
            >
              <WalletMinimal size={18} aria-hidden="true" />
              {t('Sign with {wallet}', { wallet: connector.name })}
            </Button>
          ))}
      </div>
    </Dialog>
  )
}
