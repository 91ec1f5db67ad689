import type { Wallet } from '@countersign/react'
import { Pencil, WalletMinimal } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { describeWallet } from '../lib/describeWallet.ts'
import { nameWallet } from '../lib/nameWallet.ts'
import { say } from '../lib/say.ts'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { CopyButton } from './chain/CopyButton.tsx'
import { IconButton } from './IconButton.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { WalletLabelForm } from './WalletLabelForm.tsx'

type Props = {
  wallet: Wallet
  isConnected: boolean
  isOnlyWayIn: boolean
  isLeaving: boolean
  /** Absent where it is the first of its kind already. */
  onMakePrimary?: (() => void) | undefined
  onVerify: () => void
  onUnlink: () => void
}

export function WalletRow({ wallet, isConnected, isOnlyWayIn, isLeaving, onMakePrimary, onVerify, onUnlink }: Props) {
  const [isNaming, setNaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  const name = nameWallet(wallet)
  const { kind, chain } = describeWallet(wallet)
  const leave = () => {
    flushSync(() => setNaming(false))
    rename.current?.focus()
  }
  const choose = () => {
    // The button goes with the press, and the focus must not go with it.
    rename.current?.focus()
    onMakePrimary?.()
  }
  return (
    <li className="flex items-start gap-4 py-5">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-muted max-sm:hidden">
        <WalletMinimal size={21} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        {isNaming ? (
          <WalletLabelForm wallet={wallet} onLeave={leave} />
        ) : (
          <div className="flex flex-wrap items-center gap-x-2">
            <h3 className="min-w-0 text-base break-words">{name}</h3>
            <IconButton
              ref={rename}
              label={say('Rename {name}', { name })}
              onClick={() => setNaming(true)}
              className="-my-2.5"
            >
              <Pencil size={16} aria-hidden="true" />
            </IconButton>
            {wallet.primary && <Badge tone="accent">{say('Primary')}</Badge>}
            {isConnected && <Badge tone="ok">{say('Connected')}</Badge>}
            {wallet.provisional && <Badge tone="warn">{say('Not deployed yet')}</Badge>}
          </div>
        )}
        <div className="mt-0.5 flex items-center gap-1">
          <p dir="ltr" className="min-w-0 font-mono text-xs break-all text-muted">
            {wallet.address}
          </p>
          <span className="-my-2 shrink-0 print:hidden">
            <CopyButton text={wallet.address} label={say('Copy the address')} />
          </span>
        </div>
        <dl className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted *:flex *:gap-1">
          <div>
            <dt className="sr-only">{say('Kind')}</dt>
            <dd>{kind}</dd>
          </div>
          <div>
            <dt className="sr-only">{say('Chain')}</dt>
            <dd>{chain}</dd>
          </div>
          <div>
            <dt>{say('Linked')}</dt>
            <dd>
              <RelativeTime date={wallet.linkedAt} />
            </dd>
          </div>
          <div>
            <dt>{say('Last used')}</dt>
            <dd>
              <RelativeTime date={wallet.lastUsedAt} />
            </dd>
          </div>
        </dl>
        {wallet.provisional && (
          <p className="mt-2 text-sm text-muted">
            {say(
              'This smart account is not on the chain yet. Deploy it with your wallet, then verify it again here. Until then it opens no roles, and you cannot add other sign-in methods.',
            )}
          </p>
        )}
        {isOnlyWayIn && !wallet.provisional && (
          <p className="mt-2 text-sm text-muted">
            {say(
              'This is your only way in, so it stays. Add another wallet, a passkey or a password before you unlink it.',
            )}
          </p>
        )}
        <div className="mt-3.5 flex flex-wrap gap-2 print:hidden">
          <Button look="secondary" onClick={onVerify} aria-label={say('Verify {name} again', { name })}>
            {say('Verify again')}
          </Button>
          {onMakePrimary && (
            <Button look="secondary" onClick={choose} aria-label={say('Make {name} primary', { name })}>
              {say('Make primary')}
            </Button>
          )}
          {!isOnlyWayIn && (
            <Button
              look="danger-quiet"
              pending={isLeaving}
              onClick={onUnlink}
              aria-label={say('Unlink {name}', { name })}
            >
              {say('Unlink')}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}
