import { isPasskeySupported, useSession } from '@countersign/react'
import {
  type Passkey,
  type SignInMethods,
  useAccountSecurity,
  useRemovePasskey,
  useRestorePasskey,
  useSignInMethods,
  type Wallet,
} from '@countersign/react/account'
import { LifeBuoy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { findSessionUser } from '../../account/session.ts'
import { AddPasskeyDialog } from '../../account/signIn/AddPasskeyDialog.tsx'
import { methods } from '../../account/signIn/methods.ts'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { nameWallet } from '../../account/wallets/describeWallet.ts'
import { useNames } from '../../chain/useNames.ts'
import { formatDate, formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { LoadFailure } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useKeepFocus } from '../../ui/useKeepFocus.ts'
import { MethodRow } from './MethodRow.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { ProvidersRow } from './ProvidersRow.tsx'
import { useRecoveryCodes } from './RecoveryCodes.tsx'
import { SecondFactorRow } from './SecondFactorRow.tsx'

type StepUp = { onStepUp: (again: () => void) => void }

/** Every sign-in method and the recovery codes: whether it is set up, and one thing to do about it. */
export function SignInMethodsCard({ onStepUp }: StepUp) {
  const signInMethods = useSignInMethods()
  return (
    <Card aria-labelledby="sign-in-methods">
      <CardHeader id="sign-in-methods" title={t('Sign-in methods')} />
      {signInMethods.status === 'pending' ? (
        <RowsSkeleton label={t('Loading your sign-in methods…')} bare rows={4} />
      ) : signInMethods.data ? (
        <ul className="-my-4 divide-y divide-line">
          <PasskeysRow passkeys={signInMethods.data.passkeys} onStepUp={onStepUp} />
          <WalletsRow wallets={signInMethods.data.wallets} />
          <PasswordRow
            hasPassword={signInMethods.data.password}
            lastUsedAt={findLastUse(signInMethods.data, 'password')}
            onStepUp={onStepUp}
          />
          {signInMethods.data.emailCode && <EmailCodeRow lastUsedAt={findLastUse(signInMethods.data, 'emailCode')} />}
          <ProvidersRow identities={signInMethods.data.identities ?? []} onStepUp={onStepUp} />
          <SecondFactorRow onStepUp={onStepUp} />
          <RecoveryCodesRow onStepUp={onStepUp} />
        </ul>
      ) : (
        <LoadFailure
          title={t('Your sign-in methods could not be loaded')}
          error={signInMethods.error}
          onRetry={() => void signInMethods.refetch()}
        />
      )}
    </Card>
  )
}

const findLastUse = ({ lastUses }: SignInMethods, method: string) =>
  lastUses?.find((use) => use.method === method)?.lastUsedAt

function LastUsed({ at }: { at: Date | undefined }) {
  if (!at) return null
  return (
    <p className="text-xs text-muted max-sm:mt-2 sm:ms-13.5">
      {t('Last used')} <RelativeTime date={at} />
    </p>
  )
}

/** Nothing to do about it: it goes with the verified address. */
function EmailCodeRow({ lastUsedAt }: { lastUsedAt: Date | undefined }) {
  const email = String(findSessionUser(useSession())?.email ?? '')
  return (
    <MethodRow
      id="email-code-method"
      icon={methods.emailCode.icon}
      title={t('Email sign-in code')}
      state="on"
      status={t('We can email a code to {email} that signs you in.', { email })}
    >
      <LastUsed at={lastUsedAt} />
    </MethodRow>
  )
}

function PasskeysRow({ passkeys, onStepUp }: StepUp & { passkeys: readonly Passkey[] }) {
  const { removePasskey, status } = useRemovePasskey()
  const { restorePasskey } = useRestorePasskey()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey>()
  const [error, setError] = useState<string>()
  const isSupported = isPasskeySupported()
  const count = passkeys.length
  useKeepFocus(count)

  const askFor = (passkey: Passkey | undefined) => {
    setError(undefined)
    setLeaving(passkey)
  }
  const restore = (passkey: Passkey) => {
    void restorePasskey(
      { objectId: passkey.objectId },
      {
        onSuccess: () => toasts.add(t('Passkey “{name}” restored.', { name: passkey.name }), 'ok'),
        onError: (refusal) =>
          needsStepUp(refusal)
            ? onStepUp(() => restore(passkey))
            : toasts.add(describeError(refusal).message, 'danger'),
      },
    )
  }
  const remove = (passkey: Passkey) => {
    setError(undefined)
    void removePasskey(
      { objectId: passkey.objectId },
      {
        onSuccess: () => {
          askFor(undefined)
          toasts.add(t('Passkey “{name}” removed.', { name: passkey.name }), 'ok', {
            label: t('Undo'),
            run: () => restore(passkey),
          })
        },
        onError: (refusal) => {
          if (!needsStepUp(refusal)) return setError(describeError(refusal).message)
          askFor(undefined)
          onStepUp(() => {
            askFor(passkey)
            remove(passkey)
          })
        },
      },
    )
  }
  const described =
    count > 0
      ? t('{count, plural, one {# passkey} other {# passkeys}}', { count })
      : isSupported
        ? methods.passkey.describe()
        : t('This browser or page address doesn’t support passkeys.')
  return (
    <MethodRow
      id="passkeys"
      icon={methods.passkey.icon}
      title={t('Passkeys')}
      state={count > 0 ? 'on' : 'notSetUp'}
      status={described}
      action={
        isSupported && (
          <Button look={count > 0 ? 'secondary' : 'primary'} onClick={() => setAdding(true)} className="shrink-0">
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      {count > 0 && (
        <ul aria-labelledby="passkeys" className="mt-2 sm:ms-13.5">
          {passkeys.map((passkey) => (
            <li key={passkey.objectId} className="flex items-center gap-3 py-1">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
                  <span className="min-w-0 break-words">{passkey.name}</span>
                  {passkey.backedUp && <Badge>{t('Synced')}</Badge>}
                </p>
                <p className="text-xs text-muted">
                  {passkey.lastUsedAt ? t('Last used') : t('Not used yet')}{' '}
                  {passkey.lastUsedAt && <RelativeTime date={passkey.lastUsedAt} />}
                </p>
              </div>
              <IconButton
                label={t('Remove passkey {name}', { name: passkey.name })}
                onClick={() => askFor(passkey)}
                className="hover:text-danger"
              >
                <Trash2 size={18} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <AddPasskeyDialog open={isAdding} onOpenChange={setAdding} onStepUp={onStepUp} />
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={() => askFor(undefined)}
        title={t('Remove this passkey?')}
        description={t('You won’t be able to sign in with “{name}”. Delete it from your device too.', {
          name: leaving?.name ?? '',
        })}
        confirm={t('Remove')}
        danger
        pending={status === 'pending'}
        error={error}
        onConfirm={() => leaving && remove(leaving)}
      />
    </MethodRow>
  )
}

function WalletsRow({ wallets }: { wallets: readonly Wallet[] }) {
  const nameOf = useNames(wallets.map(({ address }) => address))
  return (
    <MethodRow
      id="wallet-methods"
      icon={methods.wallet.icon}
      title={t('Wallets')}
      state={wallets.length > 0 ? 'on' : 'notSetUp'}
      status={
        wallets.length > 0 ? formatList(wallets.map((wallet) => nameWallet(wallet, nameOf))) : methods.wallet.describe()
      }
      action={
        wallets.length > 0 ? (
          <ButtonLink look="secondary" to="/account/wallets" className="shrink-0">
            {t('Manage wallets')}
          </ButtonLink>
        ) : (
          <Button look="secondary" onClick={() => signInSheet.open({ purpose: 'link' })} className="shrink-0">
            {t('Link a wallet')}
          </Button>
        )
      }
    />
  )
}

type PasswordRowProps = StepUp & { hasPassword: boolean; lastUsedAt: Date | undefined }

function PasswordRow({ hasPassword, lastUsedAt, onStepUp }: PasswordRowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <MethodRow
      id="password"
      icon={methods.password.icon}
      title={t('Password')}
      state={hasPassword ? 'on' : 'notSetUp'}
      status={methods.password.describe()}
      action={
        <Button look="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)} className="shrink-0">
          {hasPassword ? t('Change password') : t('Add password')}
        </Button>
      }
    >
      <LastUsed at={lastUsedAt} />
      <PasswordDialog hasPassword={hasPassword} open={isOpen} onOpenChange={setOpen} onStepUp={onStepUp} />
    </MethodRow>
  )
}

function RecoveryCodesRow({ onStepUp }: StepUp) {
  const security = useAccountSecurity()
  const { start, isPending, dialogs } = useRecoveryCodes({
    hasCodes: (security.data?.recoveryCodes.made ?? 0) > 0,
    onStepUp,
  })
  if (security.status === 'pending')
    return (
      <li className="py-1.5">
        <RowsSkeleton label={t('Loading your recovery codes…')} bare rows={1} />
      </li>
    )
  const codes = security.data?.recoveryCodes
  return (
    <MethodRow
      id="recovery-codes"
      icon={LifeBuoy}
      title={t('Recovery codes')}
      state={!codes ? undefined : codes.made === 0 ? 'notSetUp' : 'on'}
      status={
        !codes ? (
          <span role="alert">{security.error && describeError(security.error).message}</span>
        ) : codes.made === 0 ? (
          t('Get back in if you lose your other sign-in methods.')
        ) : (
          <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Badge tone={codes.left < 3 ? 'warn' : 'ok'}>
              {t('{left} of {made} remaining', { left: codes.left, made: codes.made })}
            </Badge>
            {codes.createdAt && t('Generated {date}', { date: formatDate(codes.createdAt) })}
          </span>
        )
      }
      action={
        codes ? (
          <Button look="secondary" pending={isPending} onClick={start} className="shrink-0">
            {codes.made > 0 ? t('Generate new codes') : t('Generate codes')}
          </Button>
        ) : (
          <Button look="secondary" onClick={() => void security.refetch()} className="shrink-0">
            {t('Try again')}
          </Button>
        )
      }
    >
      {dialogs}
    </MethodRow>
  )
}
