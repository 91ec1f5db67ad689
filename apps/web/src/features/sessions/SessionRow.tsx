import { type Session, useRevokeSession } from '@countersign/react/account'
import { Laptop, Smartphone, Tablet, Terminal } from 'lucide-react'
import { useId } from 'react'
import { describeOrigin } from '../../account/describeActivity.ts'
import { describeDevice, nameDevice } from '../../account/describeDevice.ts'
import { AddressName } from '../../chain/AddressName.tsx'
import { formatTime } from '../../i18n/format.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Detail, DetailList, DetailRow, Facts, RowIcon } from '../../ui/DetailRow.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

const icons = { desktop: Laptop, phone: Smartphone, tablet: Tablet, program: Terminal }

/** One place where the person is signed in. */
export function SessionRow({ session, onRevoked }: { session: Session; onRevoked: () => void }) {
  const { revokeSession, status } = useRevokeSession()
  const device = describeDevice(session.userAgent)
  const name = nameDevice(session.userAgent)
  const signedBy = session.proof && readProof(session.proof)?.address
  const revoke = () =>
    void revokeSession(
      { objectId: session.objectId },
      {
        onSuccess: () => {
          toasts.add(t('Signed out: {name}.', { name }), 'ok')
          onRevoked()
        },
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <DetailRow
      icon={<RowIcon icon={icons[device.kind]} />}
      title={name}
      aside={session.current && <Badge tone="accent">{t('This device')}</Badge>}
      facts={[
        <Trans
          key="time"
          text="Active {time}"
          values={{ time: <RelativeTime date={session.lastUsedAt ?? session.createdAt} /> }}
        />,
      ]}
      minorFact={session.ipAddress}
      actions={
        !session.current && (
          <Button
            look="secondary"
            pending={status === 'pending'}
            onClick={revoke}
            aria-label={t('Sign out {name}', { name })}
            className="max-sm:px-3"
          >
            {t('Sign out')}
          </Button>
        )
      }
    >
      <DetailList>
        <Detail name={describeOrigin(session.createdWith)}>
          <Facts items={[signedBy && <AddressName key="by" address={signedBy} />, formatTime(session.createdAt)]} />
        </Detail>
        {session.expiresAt && (
          <Detail name={t('Expires')}>
            <RelativeTime date={session.expiresAt} />
          </Detail>
        )}
        {session.ipAddress && <Detail name={t('IP address')}>{session.ipAddress}</Detail>}
        {session.userAgent && (
          <Detail name={t('Device')}>
            <bdi className="text-xs">{session.userAgent}</bdi>
          </Detail>
        )}
      </DetailList>
      {session.proof && <SessionProof proof={session.proof} />}
    </DetailRow>
  )
}

type Props = { proof: { message: string; signature: string } }

/** Message and signature that opened a session, for anyone to verify. */
function SessionProof({ proof: { message, signature } }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-4 text-sm">
      <h4 id={id} className="font-semibold">
        {t('Signed message')}
      </h4>
      <div className="mt-2 rounded-control bg-sunken p-4 pe-2">
        <div className="flex items-start gap-2">
          <p dir="ltr" className="min-w-0 flex-1 font-mono text-xs break-words whitespace-pre-wrap">
            {message}
          </p>
          <span className="-mt-2.5">
            <CopyButton text={message} label={t('Copy message')} />
          </span>
        </div>
        <div className="mt-4 flex items-start gap-2 border-t border-line pt-4">
          <div className="min-w-0 flex-1">
            <p className="text-xs font-semibold">{t('Signature')}</p>
            <p dir="ltr" className="mt-1 font-mono text-xs break-all">
              {signature}
            </p>
          </div>
          <CopyButton text={signature} label={t('Copy signature')} />
        </div>
      </div>
      <p className="mt-2 text-muted">{t('Verify this sign-in with any tool that checks wallet signatures.')}</p>
    </section>
  )
}

/** The account that a sign-in message names: the second line of its text. */
function readProof({ message }: { message: string }): { address: string } | undefined {
  const [first, address] = message.split('\n', 2)
  if (!first?.endsWith(' account:') || !address || !/^[0-9A-Za-z]{32,64}$/.test(address)) return undefined
  return { address }
}
