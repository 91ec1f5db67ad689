import {
  type CountersignError,
  useRestoreWallet,
  useUnlinkWallet,
  useUpdateWallet,
  useWallet,
  type Wallet,
  type WaysIn,
} from '@countersign/react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { isSameAddress } from '../lib/isSameAddress.ts'
import { nameWallet } from '../lib/nameWallet.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { sortWallets } from '../lib/sortWallets.ts'
import { toasts } from '../lib/toasts.ts'
import { VerifyWalletDialog } from './VerifyWalletDialog.tsx'
import { WalletRow } from './WalletRow.tsx'

type Props = { waysIn: WaysIn; onStepUp: (again: () => void) => void }

/** The account's wallets with what can be done to them. */
export function WalletList({ waysIn, onStepUp }: Props) {
  const { unlinkWallet } = useUnlinkWallet()
  const { restoreWallet } = useRestoreWallet()
  const { updateWallet } = useUpdateWallet()
  const state = useWallet()
  const [leaving, setLeaving] = useState<string>()
  const [verifying, setVerifying] = useState<Wallet>()
  // Shown as the primary one before the server has said so; what it says later takes its place.
  const [wish, setWish] = useState<{ objectId: string; of: WaysIn }>()
  const account = state.status === 'connected' ? state.account : undefined
  const { passkeys, password } = waysIn
  const wallets = sortWallets(waysIn.wallets, wish?.of === waysIn ? wish.objectId : undefined)
  const count = wallets.length + passkeys.length + (password ? 1 : 0)

  const refuse = (error: CountersignError) => toasts.add(describeError(error).message, 'danger')
  const makePrimary = (wallet: Wallet) => {
    const { objectId, namespace } = wallet
    const former = wallets.find((other) => other.namespace === namespace && other.primary)
    setWish({ objectId, of: waysIn })
    void updateWallet(
      { objectId, primary: true },
      {
        onSuccess: () =>
          toasts.add(
            say('{name} is your primary wallet now.', { name: nameWallet(wallet) }),
            'ok',
            former && { label: say('Undo'), run: () => makePrimary(former) },
          ),
        onError: (error) => {
          setWish(undefined)
          refuse(error)
        },
      },
    )
  }
  const unlink = (wallet: Wallet) => {
    const name = nameWallet(wallet)
    const { objectId } = wallet
    const restore = () =>
      void restoreWallet(
        { objectId },
        { onSuccess: () => toasts.add(say('{name} is back.', { name }), 'ok'), onError: refuse },
      )
    setLeaving(objectId)
    void unlinkWallet(
      { objectId },
      {
        onSuccess: () => toasts.add(say('{name} is unlinked.', { name }), 'ok', { label: say('Undo'), run: restore }),
        onError: (error) => (needsStepUp(error) ? onStepUp(() => unlink(wallet)) : refuse(error)),
      },
    ).finally(() => setLeaving(undefined))
  }
  return (
    <>
      <ul className="-my-5 divide-y divide-line">
        {wallets.map((wallet) => (
          <WalletRow
            key={wallet.objectId}
            wallet={wallet}
            isConnected={account !== undefined && isSameAddress(wallet.address, account)}
            isOnlyWayIn={count === 1}
            isLeaving={leaving === wallet.objectId}
            onMakePrimary={wallet.primary ? undefined : () => makePrimary(wallet)}
            onVerify={() => setVerifying(wallet)}
            onUnlink={() => unlink(wallet)}
          />
        ))}
      </ul>
      <VerifyWalletDialog wallet={verifying} onClose={() => setVerifying(undefined)} />
    </>
  )
}
