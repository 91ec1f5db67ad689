import {
  type CountersignError,
  shortenAddress,
  useRestoreWallet,
  useUnlinkWallet,
  useUpdateWallet,
  useWallet,
  type Wallet,
  type WaysIn,
} from '@countersign/react'
import { describeError } from '../lib/describeError.ts'
import { isSameAddress } from '../lib/isSameAddress.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { toasts } from '../lib/toasts.ts'
import { WalletRow } from './WalletRow.tsx'

type Props = { waysIn: WaysIn; onStepUp: (again: () => void) => void }

/** The account's wallets with what can be done to them. */
export function WalletList({ waysIn, onStepUp }: Props) {
  const { unlinkWallet, status: unlinking } = useUnlinkWallet()
  const { restoreWallet } = useRestoreWallet()
  const { updateWallet, status: updating } = useUpdateWallet()
  const state = useWallet()
  const account = state.status === 'connected' ? state.account : undefined
  const { wallets, passkeys, password } = waysIn
  const count = wallets.length + passkeys.length + (password ? 1 : 0)

  const refuse = (error: CountersignError) => toasts.add(describeError(error).message, 'danger')
  const unlink = (wallet: Wallet) => {
    const name = wallet.label ?? shortenAddress(wallet.address)
    const { objectId } = wallet
    const restore = () =>
      void restoreWallet({ objectId }, { onSuccess: () => toasts.add(`${name} is back.`, 'ok'), onError: refuse })
    void unlinkWallet(
      { objectId },
      {
        onSuccess: () => toasts.add(`${name} is unlinked.`, 'ok', { label: 'Undo', run: restore }),
        onError: (error) => (needsStepUp(error) ? onStepUp(() => unlink(wallet)) : refuse(error)),
      },
    )
  }
  return (
    <ul className="-my-5 divide-y divide-line">
      {wallets.map((wallet) => (
        <WalletRow
          key={wallet.objectId}
          wallet={wallet}
          isConnected={account !== undefined && isSameAddress(wallet.address, account)}
          isOnlyWayIn={count === 1}
          pending={unlinking === 'pending' || updating === 'pending'}
          onMakePrimary={
            wallet.primary
              ? undefined
              : () => void updateWallet({ objectId: wallet.objectId, primary: true }, { onError: refuse })
          }
          onUnlink={() => unlink(wallet)}
        />
      ))}
    </ul>
  )
}
