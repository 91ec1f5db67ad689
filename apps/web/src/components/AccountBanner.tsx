import { useAccountMismatch, useWallet } from '@countersign/react'
import { ArrowLeftRight } from 'lucide-react'
import { shortenAddress } from '../lib/shortenAddress.ts'
import { signInSheet } from '../lib/signInSheet.ts'
import { Button } from './Button.tsx'

/** The wallet is on another account than the person's: said, so that nobody takes one for the other (S22). */
export function AccountBanner() {
  const { mismatch, dismiss } = useAccountMismatch()
  const wallet = useWallet()
  const open = (purpose: 'signIn' | 'link') => {
    if (wallet.status === 'connected') signInSheet.open({ purpose, connector: wallet.connector })
  }
  const other = mismatch && shortenAddress(mismatch.account)
  const own = mismatch && shortenAddress(mismatch.signedInAs)
  return (
    <div role="status">
      {mismatch && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-warn-soft px-4 py-2 text-sm">
          <p className="flex min-w-0 items-center gap-2 font-medium text-warn">
            <ArrowLeftRight size={17} aria-hidden="true" className="shrink-0" />
            <span>
              Your wallet is on <span title={mismatch.account}>{other}</span>, you are signed in as{' '}
              <span title={mismatch.signedInAs}>{own}</span>.
            </span>
          </p>
          <div className="flex flex-wrap justify-center gap-2">
            <Button look="secondary" onClick={dismiss}>
              Keep {own}
            </Button>
            <Button look="secondary" onClick={() => open('link')}>
              Link {other}
            </Button>
            <Button look="secondary" onClick={() => open('signIn')}>
              Switch to {other}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
