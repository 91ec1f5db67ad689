import { shortenAddress, useAccountMismatch, useClient } from '@countersign/react'
import { ArrowLeftRight } from 'lucide-react'
import { say } from '../lib/say.ts'
import { signInSheet } from '../lib/signInSheet.ts'
import { Button } from './Button.tsx'
import { Phrase } from './Phrase.tsx'

type ChoiceProps = { word: string; whole: string; onClick: () => void }

/** A phone shows the word alone; the account stands in the sentence above. */
function Choice({ word, whole, onClick }: ChoiceProps) {
  return (
    <Button look="secondary" onClick={onClick} aria-label={whole}>
      <span className="sm:hidden">{word}</span>
      <span className="max-sm:hidden">{whole}</span>
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
              <Phrase
                text="Your wallet is on {other}, you are signed in as {own}."
                values={{
                  other: <span title={mismatch.account}>{other}</span>,
                  own: <span title={mismatch.signedInAs}>{own}</span>,
                }}
              />
            </span>
          </p>
          <div className="grid grid-cols-3 gap-2 max-sm:w-full">
            <Choice word={say('Keep')} whole={say('Keep {account}', { account: own })} onClick={dismiss} />
            <Choice word={say('Link')} whole={say('Link {account}', { account: other })} onClick={() => open('link')} />
            <Choice
              word={say('Switch')}
              whole={say('Switch to {account}', { account: other })}
              onClick={() => open('signIn')}
            />
          </div>
        </div>
      )}
    </div>
  )
}
