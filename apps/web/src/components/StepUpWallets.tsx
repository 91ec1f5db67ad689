import { type SignerInput, shortenAddress, useConnectors, useWallet, type Wallet } from '@countersign/react'
import { WalletMinimal } from 'lucide-react'
import { isSameAddress } from '../lib/isSameAddress.ts'
import { say } from '../lib/say.ts'
import { Button } from './Button.tsx'

type Props = { wallets: readonly Wallet[]; isFirst: boolean; pending: boolean; onPick: (input: SignerInput) => void }

/** One button for each wallet in this browser that may hold one of the account's keys. */
export function StepUpWallets({ wallets, isFirst, pending, onPick }: Props) {
  const connectors = useConnectors()
  const state = useWallet()
  const namespaces = new Set(wallets.map(({ namespace }) => namespace))
  const usable = connectors.filter(({ kind, namespace }) => kind !== 'network' && namespaces.has(namespace))
  const isOwn = (account: string) => wallets.some(({ address }) => isSameAddress(address, account))
  const own = wallets[0]?.address ?? ''
  const other = state.status === 'connected' && state.account && !isOwn(state.account) ? state.account : undefined
  return (
    <div className="flex flex-col gap-2">
      {other && (
        <p role="status" className="text-sm text-muted">
          {say('Your wallet is on {other}, which is not linked to your account. Change it to {own} there first.', {
            other: shortenAddress(other),
            own: shortenAddress(own),
          })}
        </p>
      )}
      {usable.length === 0 && (
        <p className="text-sm text-muted">
          {say('Your wallet {account} is not in this browser. Unlock it or switch it on, and it shows up here.', {
            account: shortenAddress(own),
          })}
        </p>
      )}
      {usable.map((connector, index) => (
        <Button
          key={connector.id}
          look={isFirst && index === 0 ? 'primary' : 'secondary'}
          pending={pending}
          onClick={() => onPick({ connector })}
        >
          <WalletMinimal size={18} aria-hidden="true" />
          {say('Confirm with {wallet}', { wallet: connector.name })}
        </Button>
      ))}
    </div>
  )
}
