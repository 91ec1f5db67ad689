import type { Wallet } from '@countersign/react/account'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { useChainName } from '../../chain/useChainName.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { describeWallet } from './describeWallet.ts'
import { QrPicture } from './QrPicture.tsx'
import { WalletSelect } from './WalletSelect.tsx'

type Props = {
  wallets: readonly Wallet[]
  /** The address of the wallet that is shown first; without it, the first of the list. */
  first?: string | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** An address to be paid at: to scan, to copy, to print. */
export function ReceiveDialog({ wallets, first, open, onOpenChange }: Props) {
  const [chosen, setChosen] = useState(first)
  const nameChain = useChainName()
  const wallet = wallets.find(({ address }) => address === chosen) ?? wallets[0]
  if (!wallet) return null
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('Receive')}
      description={t('Share this address to receive funds. Ask the sender to check every character.')}
    >
      <div className="mt-5 flex flex-col gap-4">
        {wallets.length > 1 && (
          <div className="flex">
            <WalletSelect wallets={wallets} value={wallet.address} onChange={setChosen} />
          </div>
        )}
        <div data-print="sheet" className="flex flex-col items-center gap-3">
          <QrPicture text={wallet.address} label={t('QR code for {address}', { address: wallet.address })} />
          {wallet.label && <p className="font-semibold">{wallet.label}</p>}
          <p className="flex items-center gap-1">
            <bdi className="font-mono text-sm break-all">{wallet.address}</bdi>
            <span className="print:hidden">
              <CopyButton text={wallet.address} label={t('Copy address')} />
            </span>
          </p>
        </div>
        {wallet.kind === 'contract' && (
          <p className="text-sm text-warn">
            {t('This smart account exists only on {chain}. Funds sent on another chain may be lost.', {
              chain: listChains(wallets, wallet.address, nameChain),
            })}
          </p>
        )}
        <Button look="secondary" onClick={() => window.print()}>
          <Printer size={18} aria-hidden="true" />
          {t('Print')}
        </Button>
      </div>
    </Dialog>
  )
}

/** The chains that an account of code was proven on. */
const listChains = (wallets: readonly Wallet[], address: string, nameChain: ReturnType<typeof useChainName>) =>
  wallets
    .filter((each) => each.address === address)
    .map((each) => describeWallet(each, nameChain).chain)
    .join(', ')
