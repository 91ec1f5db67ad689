import {
  type Connector,
  type CountersignError,
  shortenAddress,
  useConnectors,
  useConnectWallet,
  useStepUp,
  useWaysIn,
  type Wallet,
} from '@countersign/react'
import { WalletMinimal } from 'lucide-react'
import { useRef, useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { isCancelled } from '../lib/isCancelled.ts'
import { isSameAddress } from '../lib/isSameAddress.ts'
import { nameWallet } from '../lib/nameWallet.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Outcome = { status: 'cancelled' } | { status: 'other'; account: string } | { status: 'failed'; message: string }

/** Has one certain wallet sign once more: whoever lost its key hears of it here and not on the day they need it. */
export function VerifyWalletDialog({ wallet, onClose }: { wallet: Wallet | undefined; onClose: () => void }) {
  const waysIn = useWaysIn()
  const connectors = useConnectors()
  const { connectWallet } = useConnectWallet()
  const { stepUp } = useStepUp()
  const [asked, setAsked] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const running = useRef<AbortController>(undefined)

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
        toasts.add(say('{name} has signed: it is still yours.', { name: nameWallet({ address, ...rest }) }), 'ok')
        void waysIn.refetch()
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
      title={wallet ? say('Is {name} still yours?', { name: nameWallet(wallet) }) : ''}
      description={say('Sign a message with it to show that it is. Signing is free and sends nothing on chain.')}
    >
      <div className="flex flex-col gap-3">
        {outcome?.status === 'cancelled' && (
          <Alert title={say('Nothing was signed.')}>{say('You can try again whenever you like.')}</Alert>
        )}
        {outcome?.status === 'failed' && <Alert tone="danger" title={outcome.message} />}
        {outcome?.status === 'other' && (
          <Alert tone="warn" title={say('Your wallet is on {account}.', { account: shortenAddress(outcome.account) })}>
            {say('Change it to {account} there, then try again.', { account: short })}
          </Alert>
        )}
        {usable.length === 0 && (
          <p className="text-sm text-muted">
            {say('Your wallet {account} is not in this browser. Unlock it or switch it on, and it shows up here.', {
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
              {say('Sign with {wallet}', { wallet: connector.name })}
            </Button>
          ))}
      </div>
    </Dialog>
  )
}
