import { isPasskeySupported, useConnectors, useWallet } from '@countersign/react'
import {
  type Reauthentication,
  useReauthenticate,
  useSecondFactor,
  useSignInMethods,
  type Wallet,
} from '@countersign/react/account'
import { shortenAddress } from '@countersign/react/chain'
import type { SignerInput } from '@countersign/react/core'
import { Fingerprint, LogIn, WalletMinimal } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'
import { CodeField } from '../../ui/forms/Field.tsx'
import { Form } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'
import { isSameAddress } from '../wallets/describeWallet.ts'
import { FarcasterPrompt } from './FarcasterPrompt.tsx'
import { StepUpEmailCode } from './StepUpEmailCode.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirmed: (confirmation: Reauthentication) => void
  description?: string
}

/** Anyone who finds an open page must not be able to change sign-in methods, so the user confirms their identity. */
export function StepUpDialog({ open, onOpenChange, onConfirmed, description }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('Confirm it’s you')}
      description={description ?? t('You signed in a while ago. Confirm it’s you to make this change.')}
    >
      <StepUpForm onConfirmed={onConfirmed} />
    </Dialog>
  )
}

/** By the password, by a passkey or by a wallet, whichever the account has. */
function StepUpForm({ onConfirmed }: { onConfirmed: (confirmation: Reauthentication) => void }) {
  const formRef = useRef<HTMLFormElement>(null)
  const signInMethods = useSignInMethods()
  const { reauthenticate, ...confirming } = useReauthenticate()
  const factor = useSecondFactor()
  const [secondFactorCode, setCode] = useState('')
  const [url, setUrl] = useState<string>()
  const needsCode = factor.data?.totp === true || factor.data?.passkey === true
  const stepUp: typeof reauthenticate = (input, further) =>
    reauthenticate(needsCode && secondFactorCode ? { ...input, secondFactorCode } : input, further)
  const pending = confirming.status === 'pending'
  if (signInMethods.status === 'pending')
    return (
      <div role="status" aria-label={t('Loading…')} className="animate-wait">
        <Skeleton className="h-11" />
      </div>
    )
  const known = signInMethods.data
  const hasPassword = known?.password !== false
  const hasPasskey = (known?.passkeys.length ?? 0) > 0 && isPasskeySupported()
  const callbacks = { onSuccess: onConfirmed, onError: () => {} }
  return (
    <div className="flex flex-col gap-5">
      {confirming.status === 'error' &&
        (isCancelled(confirming.error) ? (
          <Alert title={t('Not confirmed.')}>{t('You can try again at any time.')}</Alert>
        ) : (
          <Alert tone="danger" title={describeError(confirming.error).message} />
        ))}
      {needsCode && (
        <CodeField
          label={t('Code of your second factor')}
          name="secondFactorCode"
          required={false}
          value={secondFactorCode}
          onChange={({ target }) => setCode(target.value.trim())}
        />
      )}
      {hasPassword && (
        <Form
          formRef={formRef}
          onSubmit={({ password = '' }) => void (pending || stepUp({ password }, callbacks))}
          label={t('Confirm with your password')}
        >
          <PasswordField label={t('Password')} name="password" autoComplete="current-password" required />
          <Button type="submit" pending={pending}>
            {t('Confirm')}
          </Button>
        </Form>
      )}
      {hasPasskey && (
        <Button
          look={hasPassword ? 'secondary' : 'primary'}
          pending={pending}
          onClick={() => void stepUp({ passkey: true }, callbacks)}
        >
          <Fingerprint size={18} aria-hidden="true" />
          {t('Confirm with a passkey')}
        </Button>
      )}
      {known?.identities
        ?.filter(({ name }) => name !== undefined)
        .map(({ provider, name = provider }) => (
          <Button
            key={provider}
            look="secondary"
            pending={pending}
            onClick={() =>
              void stepUp(
                provider === 'farcaster' ? { farcaster: { onUrl: setUrl } } : { provider, display: 'popup' },
                callbacks,
              )
            }
          >
            <LogIn size={18} aria-hidden="true" />
            {t('Confirm with {wallet}', { wallet: name })}
          </Button>
        ))}
      {pending && url && <FarcasterPrompt url={url} />}
      {known?.emailCode && (
        <StepUpEmailCode
          isFirst={!hasPassword && !hasPasskey && known.wallets.length === 0}
          pending={pending}
          onCode={(input) => void stepUp(input, callbacks)}
        />
      )}
      {known && known.wallets.length > 0 && (
        <StepUpWallets
          wallets={known.wallets}
          isFirst={!hasPassword && !hasPasskey}
          pending={pending}
          onPick={(input) => void stepUp(input, callbacks)}
        />
      )}
    </div>
  )
}

type StepUpWalletsProps = {
  wallets: readonly Wallet[]
  isFirst: boolean
  pending: boolean
  onPick: (input: SignerInput) => void
}

/** One button for each wallet in this browser that may hold one of the account's keys. */
function StepUpWallets({ wallets, isFirst, pending, onPick }: StepUpWalletsProps) {
  const connectors = useConnectors()
  const state = useWallet()
  const namespaces = new Set(wallets.map(({ namespace }) => namespace))
  const usable = connectors.filter(({ kind, namespace }) => kind !== 'network' && namespaces.has(namespace))
  const isOwn = (account: string) => wallets.some(({ address }) => isSameAddress(address, account))
  const own = wallets[0]?.address ?? ''
  const other = state.status === 'connected' && state.account && !isOwn(state.account) ? state.account : undefined
  return (
    <div className="flex flex-col gap-2">
      {other && (
        <p role="status" className="text-sm text-muted">
          {t('Your wallet is using {other}, which isn’t linked to your account. Switch it to {own} first.', {
            other: shortenAddress(other),
            own: shortenAddress(own),
          })}
        </p>
      )}
      {usable.length === 0 && (
        <p className="text-sm text-muted">
          {t('Wallet {account} isn’t available in this browser. Unlock or enable it and it will appear here.', {
            account: shortenAddress(own),
          })}
        </p>
      )}
      {usable.map((connector, index) => (
        <Button
          key={connector.id}
          look={isFirst && index === 0 ? 'primary' : 'secondary'}
          pending={pending}
          onClick={() => onPick({ connector })}
        >
          <WalletMinimal size={18} aria-hidden="true" />
          {t('Confirm with {wallet}', { wallet: connector.name })}
        </Button>
      ))}
    </div>
  )
}
