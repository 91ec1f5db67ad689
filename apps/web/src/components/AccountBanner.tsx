import { shortenAddress, useAccountMismatch, useClient } from '@countersign/react'
import { ArrowLeftRight } from 'lucide-react'
import { signInSheet } from '../lib/signInSheet.ts'
import { Button } from './Button.tsx'

type ChoiceProps = { word: string; rest: string; onClick: () => void }

/** A phone shows the word alone; the account stands in the sentence above. */
function Choice({ word, rest, onClick }: ChoiceProps) {
  return (
    <Button look="secondary" onClick={onClick} aria-label={`${word} ${rest}`}>
      <span>
        {word}
        <span className="max-sm:hidden"> {rest}</span>
      </span>
    </Button>
  )
}

/** The wallet is on another account than the person's: said, so that nobody takes one for the other (S22). */
export function AccountBanner() {
  const { mismatch, dismiss } = useAccountMismatch()
  const client = useClient()
  const open = (purpose: 'signIn' | 'link') => {
    // Read when it is asked for: watching the wallet would fetch its layer on every page.
    const wallet = client.wallet.get()
    if (wallet.status === 'connected') signInSheet.open({ purpose, connector: wallet.connector })
  }
  const other = shortenAddress(mismatch?.account ?? '')
  const own = shortenAddress(mismatch?.signedInAs ?? '')
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
          <div className="grid grid-cols-3 gap-2 max-sm:w-full">
            <Choice word="Keep" rest={own} onClick={dismiss} />
            <Choice word="Link" rest={other} onClick={() => open('link')} />
            <Choice word="Switch" rest={`to ${other}`} onClick={() => open('signIn')} />
          </div>
        </div>
      )}
    </div>
  )
}
