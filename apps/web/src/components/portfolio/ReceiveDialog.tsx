import type { Wallet } from '@countersign/react'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { describeWallet } from '../../lib/describeWallet.ts'
import { say } from '../../lib/say.ts'
import { Button } from '../Button.tsx'
import { CopyButton } from '../chain/CopyButton.tsx'
import { Dialog } from '../Dialog.tsx'
import { QrPicture } from './QrPicture.tsx'
import { WalletSelect } from './WalletSelect.tsx'

type Props = { wallets: readonly Wallet[]; open: boolean; onOpenChange: (open: boolean) => void }

/** An address to be paid at: to scan, to copy, to print. */
export function ReceiveDialog({ wallets, open, onOpenChange }: Props) {
  const [chosen, setChosen] = useState<string>()
  const wallet = wallets.find(({ address }) => address === chosen) ?? wallets[0]
  if (!wallet) return null
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={say('Receive')}
      description={say(
        'Whoever sends you something needs this address. Check its first and last characters with them.',
      )}
    >
      <div className="mt-5 flex flex-col gap-4">
        {wallets.length > 1 && (
          <div className="flex">
            <WalletSelect wallets={wallets} value={wallet.address} onChange={setChosen} />
          </div>
        )}
        <div data-print="sheet" className="flex flex-col items-center gap-3">
          <QrPicture
            text={wallet.address}
            label={say('QR code of the address {address}', { address: wallet.address })}
          />
          {wallet.label && <p className="font-semibold">{wallet.label}</p>}
          <p className="flex items-center gap-1">
            <bdi className="font-mono text-sm break-all">{wallet.address}</bdi>
            <span className="print:hidden">
              <CopyButton text={wallet.address} label={say('Copy the address')} />
            </span>
          </p>
        </div>
        {wallet.kind === 'contract' && (
          <p className="text-sm text-warn">
            {say('This is a contract, yours on {chain} alone. What is sent to it on another chain may be lost.', {
              chain: listChains(wallets, wallet.address),
            })}
          </p>
        )}
        <Button look="secondary" onClick={() => window.print()}>
          <Printer size={18} aria-hidden="true" />
          {say('Print')}
        </Button>
      </div>
    </Dialog>
  )
}

/** The chains that an account of code was proven on. */
const listChains = (wallets: readonly Wallet[], address: string) =>
  wallets
    .filter((each) => each.address === address)
    .map((each) => describeWallet(each).chain)
    .join(', ')
