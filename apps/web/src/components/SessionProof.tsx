import { ChevronDown } from 'lucide-react'
import { say } from '../lib/say.ts'
import { CopyButton } from './chain/CopyButton.tsx'

type Props = { proof: { message: string; signature: string } }

/** What a wallet signed to open a session, word for word, for anyone to verify. */
export function SessionProof({ proof: { message, signature } }: Props) {
  return (
    <details className="group mt-2 text-sm">
      <summary className="inline-flex min-h-11 list-none items-center gap-1.5 rounded-control font-medium text-accent">
        {say('What was signed')}
        <ChevronDown size={16} aria-hidden="true" className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="rounded-control bg-sunken p-4 pe-2 max-sm:-ms-15">
        <div className="flex items-start gap-2">
          <p dir="ltr" className="min-w-0 flex-1 font-mono text-xs break-words whitespace-pre-wrap">
            {message}
          </p>
          <span className="-mt-2.5">
            <CopyButton text={message} label={say('Copy the message')} />
          </span>
        </div>
        <div className="mt-4 flex items-start gap-2 border-t border-line pt-4">
          <div className="min-w-0 flex-1">
            <p className="text-xs font-semibold">{say('Signature')}</p>
            <p dir="ltr" className="mt-1 font-mono text-xs break-all">
              {signature}
            </p>
          </div>
          <CopyButton text={signature} label={say('Copy the signature')} />
        </div>
      </div>
      <p className="mt-2 text-muted max-sm:-ms-15">
        {say('Any program that checks signatures of wallets can tell from these two who signed in.')}
      </p>
    </details>
  )
}
