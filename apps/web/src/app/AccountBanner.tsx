import { useAccountMismatch, useClient } from '@countersign/react'
import { shortenAddress } from '@countersign/react/chain'
import { ArrowLeftRight, X } from 'lucide-react'
import { signInSheet } from '../account/signIn/signInSheet.ts'
import { useChecksum } from '../chain/useChecksum.ts'
import { Trans } from '../i18n/Trans.tsx'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/Button.tsx'

/** The wallet is on another account than the person's: said, so that nobody takes one for the other (S22). */
export function AccountBanner() {
  const { mismatch, dismiss } = useAccountMismatch()
  const client = useClient()
  const open = (purpose: 'signIn' | 'link') => {
    // Read when it is asked for: watching the wallet would fetch its layer on every page.
    const wallet = client.wallet.get()
    if (wallet.status === 'connected') signInSheet.open({ purpose, connector: wallet.connector })
  }
  const checksum = useChecksum(mismatch !== undefined)
  const account = checksum(mismatch?.account ?? '')
  const signedInAs = checksum(mismatch?.signedInAs ?? '')
  const other = shortenAddress(account)
  const own = shortenAddress(signedInAs)
  return (
    <div role="status">
      {mismatch && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warn-soft px-4 py-2 text-sm">
          <p className="flex min-w-0 items-center gap-2 font-medium text-warn max-sm:flex-1">
            <ArrowLeftRight size={17} aria-hidden="true" className="shrink-0" />
            <span>
              <Trans
                text="Your wallet is using {other}, but you’re signed in as {own}."
                values={{
                  other: <span title={account}>{other}</span>,
                  own: <span title={signedInAs}>{own}</span>,
                }}
              />
            </span>
          </p>
          {/* On a phone the cross stands beside the sentence, and the buttons have a line of their own. */}
          <div className="flex min-w-0 flex-wrap items-center justify-end gap-1 max-sm:order-last max-sm:w-full">
            <Button look="ghost" onClick={() => open('link')} className="px-3">
              {t('Link this wallet')}
            </Button>
            <Button onClick={() => open('signIn')}>{t('Switch to {account}', { account: other })}</Button>
          </div>
          <IconButton
            label={t('Continue as {account}', { account: own })}
            onClick={dismiss}
            className="max-sm:-me-2 sm:-ms-3"
          >
            <X size={18} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  )
}
