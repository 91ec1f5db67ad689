import { type CountersignError, useDisconnectWallet, useWallet } from '@countersign/react'
import {
  type SignInMethods,
  useRestoreWallet,
  useUnlinkWallet,
  useUpdateWallet,
  type Wallet,
} from '@countersign/react/account'
import { useState } from 'react'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { isSameAddress, nameWallet } from '../../account/wallets/describeWallet.ts'
import { ReceiveDialog } from '../../account/wallets/ReceiveDialog.tsx'
import { useWalletValues } from '../../account/wallets/useWalletValues.ts'
import { useNames } from '../../chain/useNames.ts'
import { t } from '../../i18n/translate.ts'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { VerifyWalletDialog } from './VerifyWalletDialog.tsx'
import { WalletRow } from './WalletRow.tsx'

type Props = { signInMethods: SignInMethods; onStepUp: (again: () => void) => void }

/** The account's wallets with what can be done to them. */
export function WalletList({ signInMethods, onStepUp }: Props) {
  const { unlinkWallet } = useUnlinkWallet()
  const { restoreWallet } = useRestoreWallet()
  const { updateWallet } = useUpdateWallet()
  const state = useWallet()
  const { disconnectWallet } = useDisconnectWallet()
  const values = useWalletValues(signInMethods.wallets)
  const nameOf = useNames(signInMethods.wallets.map(({ address }) => address))
  const [receiving, setReceiving] = useState<{ address: string; isOpen: boolean }>()
  const [verifying, setVerifying] = useState<Wallet>()
  // Shown as primary before the server has confirmed it; its response replaces it.
  const [wish, setWish] = useState<{ objectId: string; of: SignInMethods }>()
  const { passkeys, password, identities = [], emailCode } = signInMethods
  const wallets = sortWallets(signInMethods.wallets, wish?.of === signInMethods ? wish.objectId : undefined)
  const others = identities.filter(({ additional }) => !additional).length + (emailCode ? 1 : 0)
  const count = wallets.length + passkeys.length + (password ? 1 : 0) + others

  const refuse = (error: CountersignError) => toasts.add(describeError(error).message, 'danger')
  const makePrimary = (wallet: Wallet) => {
    const { objectId, namespace } = wallet
    const former = wallets.find((other) => other.namespace === namespace && other.primary)
    setWish({ objectId, of: signInMethods })
    void updateWallet(
      { objectId, primary: true },
      {
        onSuccess: () =>
          toasts.add(
            t('{name} is now your primary wallet.', { name: nameWallet(wallet, nameOf) }),
            'ok',
            former && { label: t('Undo'), run: () => makePrimary(former) },
          ),
        onError: (error) => {
          setWish(undefined)
          refuse(error)
        },
      },
    )
  }
  const unlink = (wallet: Wallet) => {
    const name = nameWallet(wallet, nameOf)
    const { objectId } = wallet
    const restore = () =>
      void restoreWallet(
        { objectId },
        {
          onSuccess: () => toasts.add(t('{name} restored.', { name }), 'ok'),
          onError: (error) => (needsStepUp(error) ? onStepUp(restore) : refuse(error)),
        },
      )
    void unlinkWallet(
      { objectId },
      {
        onSuccess: () => toasts.add(t('{name} unlinked.', { name }), 'ok', { label: t('Undo'), run: restore }),
        onError: (error) => (needsStepUp(error) ? onStepUp(() => unlink(wallet)) : refuse(error)),
      },
    )
  }
  const disconnect = (name: string) =>
    void disconnectWallet({
      onSuccess: () => toasts.add(t('{wallet} disconnected. You’re still signed in.', { wallet: name }), 'ok'),
      onError: refuse,
    })
  const connectionOf = ({ address }: Wallet) => {
    if (state.status !== 'connected' || !state.account || !isSameAddress(address, state.account)) return undefined
    const { name, icon } = state.connector
    return { ...(icon !== undefined && { icon }), onDisconnect: () => disconnect(name) }
  }
  return (
    <>
      <ul className="-my-3.5 divide-y divide-line">
        {wallets.map((wallet) => (
          <WalletRow
            key={wallet.objectId}
            wallet={wallet}
            value={values.valueOf(wallet.address)}
            connection={connectionOf(wallet)}
            isOnlyMethod={count === 1}
            onMakePrimary={wallet.primary ? undefined : () => makePrimary(wallet)}
            onReceive={() => setReceiving({ address: wallet.address, isOpen: true })}
            onVerify={() => setVerifying(wallet)}
            onUnlink={() => unlink(wallet)}
          />
        ))}
      </ul>
      <VerifyWalletDialog wallet={verifying} onClose={() => setVerifying(undefined)} />
      {receiving && (
        <ReceiveDialog
          key={receiving.address}
          wallets={wallets}
          first={receiving.address}
          open={receiving.isOpen}
          onOpenChange={(isOpen) => setReceiving({ ...receiving, isOpen })}
        />
      )}
    </>
  )
}

/** In the order in which they came, so that none moves under a finger. `primary` names the one that is to be it. */
function sortWallets(wallets: readonly Wallet[], primary?: string): Wallet[] {
  const wished = wallets.find(({ objectId }) => objectId === primary)
  return wallets
    .map((wallet) => (wallet.namespace === wished?.namespace ? { ...wallet, primary: wallet === wished } : wallet))
    .sort((one, other) => one.linkedAt.getTime() - other.linkedAt.getTime())
}
