import { isPasskeySupported, type User, useWaysIn } from '@countersign/react'
import { Check, Fingerprint, KeyRound, type LucideIcon, Mail, WalletMinimal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { say } from '../lib/say.ts'
import { signInSheet } from '../lib/signInSheet.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { Button } from './Button.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'

/** Ways in besides the one that was just used, for the day when that one is lost. */
export function SecondWayIn({ user }: { user: User }) {
  const waysIn = useWaysIn()
  const [isAdding, setAdding] = useState(false)
  const { ask, dialog } = useConfirmation()
  if (waysIn.status === 'pending') return <RowsSkeleton label={say('Loading your ways in…')} bare rows={4} />
  if (!waysIn.data) {
    const title = say('Your ways in could not be loaded')
    return <LoadFailure title={title} error={waysIn.error} onRetry={() => void waysIn.refetch()} />
  }
  const { password, wallets, passkeys } = waysIn.data
  return (
    <>
      <ul className="divide-y divide-line">
        {isPasskeySupported() && (
          <Way
            icon={Fingerprint}
            title={say('Passkey')}
            text={say('Your fingerprint, your face or a PIN.')}
            done={passkeys.length > 0}
          >
            <Button look="secondary" onClick={() => setAdding(true)}>
              {say('Add a passkey')}
            </Button>
          </Way>
        )}
        <Way
          icon={WalletMinimal}
          title={say('Wallet')}
          text={say('Sign a message; it is free.')}
          done={wallets.length > 0}
        >
          <Button look="secondary" aria-haspopup="dialog" onClick={() => signInSheet.open({ purpose: 'link' })}>
            {say('Link a wallet')}
          </Button>
        </Way>
        <Way icon={KeyRound} title={say('Password')} text={say('Your user name goes with it.')} done={password}>
          <ButtonLink look="secondary" to="/account/security">
            {say('Add a password')}
          </ButtonLink>
        </Way>
        <Way
          icon={Mail}
          title={say('E-mail')}
          text={say('For a link when all else is lost.')}
          done={Boolean(user.email)}
        >
          <ButtonLink look="secondary" to="/account/profile">
            {say('Add an e-mail address')}
          </ButtonLink>
        </Way>
      </ul>
      <AddPasskeyDialog open={isAdding} onOpenChange={setAdding} onStepUp={ask} />
      <StepUpDialog {...dialog} />
    </>
  )
}

type WayProps = { icon: LucideIcon; title: string; text: string; done: boolean; children: ReactNode }

function Way({ icon: Icon, title, text, done, children }: WayProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5 first:pt-0 last:pb-0">
      <span className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted">
        <Icon size={20} aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1 basis-40">
        <span className="block font-semibold">{title}</span>
        <span className="block text-sm text-muted">{text}</span>
      </span>
      {done ? (
        <span className="inline-flex min-h-11 items-center gap-1.5 text-sm font-semibold text-ok max-sm:ms-14">
          <Check size={17} aria-hidden="true" /> {say('Ready')}
        </span>
      ) : (
        <span className="max-sm:ms-14">{children}</span>
      )}
    </li>
  )
}
