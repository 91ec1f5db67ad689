import type { Wallet } from '@countersign/react'
import { shortenAddress } from '@countersign/react'
import { Pencil, WalletMinimal } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { describeWallet } from '../lib/describeWallet.ts'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { WalletLabelForm } from './WalletLabelForm.tsx'

type Props = {
  wallet: Wallet
  isConnected: boolean
  isOnlyWayIn: boolean
  /** Absent where it is the first of its kind already. */
  onMakePrimary?: (() => void) | undefined
  onUnlink: () => void
  pending: boolean
}

export function WalletRow({ wallet, isConnected, isOnlyWayIn, onMakePrimary, onUnlink, pending }: Props) {
  const [isNaming, setNaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  const short = shortenAddress(wallet.address)
  const name = wallet.label ?? short
  const { kind, chain } = describeWallet(wallet)
  const leave = () => {
    flushSync(() => setNaming(false))
    rename.current?.focus()
  }
  return (
    <li className="flex flex-wrap items-start gap-4 py-5">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-muted">
        <WalletMinimal size={21} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        {isNaming ? (
          <WalletLabelForm wallet={wallet} onLeave={leave} />
        ) : (
          <div className="flex flex-wrap items-center gap-x-2">
            <h3 className="min-w-0 text-base break-words">{name}</h3>
            <IconButton ref={rename} label={`Rename ${name}`} onClick={() => setNaming(true)} className="-my-2.5">
              <Pencil size={16} aria-hidden="true" />
            </IconButton>
            {wallet.primary && <Badge tone="accent">Primary</Badge>}
            {isConnected && <Badge tone="ok">Connected</Badge>}
          </div>
        )}
        <p className="mt-1 font-mono text-xs break-all text-muted">{wallet.address}</p>
        <dl className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted *:flex *:gap-1">
          <div>
            <dt className="sr-only">Kind</dt>
            <dd>{kind}</dd>
          </div>
          <div>
            <dt className="sr-only">Chain</dt>
            <dd>{chain}</dd>
          </div>
          <div>
            <dt>Linked</dt>
            <dd>
              <RelativeTime date={wallet.linkedAt} />
            </dd>
          </div>
          <div>
            <dt>Last used</dt>
            <dd>
              <RelativeTime date={wallet.lastUsedAt} />
            </dd>
          </div>
        </dl>
        {isOnlyWayIn && (
          <p className="mt-2 text-sm text-muted">
            This is your only way in, so it stays. Add another wallet, a passkey or a password before you unlink it.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-sm:ms-15">
        {onMakePrimary && (
          <Button look="secondary" pending={pending} onClick={onMakePrimary} aria-label={`Make ${name} primary`}>
            Make primary
          </Button>
        )}
        {!isOnlyWayIn && (
          <Button look="danger-quiet" pending={pending} onClick={onUnlink} aria-label={`Unlink ${name}`}>
            Unlink
          </Button>
        )}
      </div>
    </li>
  )
}
