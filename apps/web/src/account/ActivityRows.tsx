import type { Activity } from '@countersign/react/account'
import {
  Download,
  Fingerprint,
  History,
  KeyRound,
  LifeBuoy,
  LogIn,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  UserPlus,
  Users,
  WalletMinimal,
} from 'lucide-react'
import { useChecksum } from '../chain/useChecksum.ts'
import { formatTime } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../ui/DetailRow.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { activityKinds, describeActivity } from './describeActivity.ts'
import { nameDevice } from './describeDevice.ts'

type Props = {
  entries: readonly Activity[]
  /** The session of this page. */
  ownSession?: string
  onReport: (entry: Activity) => void
  /** Below a heading of their own the rows have theirs one level deeper. */
  heading?: 'h2' | 'h3'
  className?: string
}

/** Things that happened to the account; a sign-in from elsewhere can be reported. */
export function ActivityRows({ entries, ownSession, onReport, heading = 'h2', className }: Props) {
  return (
    <ul className={className}>
      {entries.map((entry) => {
        const isHere = ownSession !== undefined && entry.details.session === ownSession
        // Unknown until the session is loaded.
        const isForeign = entry.action === 'signIn' && ownSession !== undefined && !isHere
        return (
          <ActivityRow
            key={entry.id}
            entry={entry}
            isHere={isHere}
            heading={heading}
            {...(isForeign && { onReport: () => onReport(entry) })}
          />
        )
      })}
    </ul>
  )
}

const icons: Record<string, LucideIcon> = {
  'sign-ins': LogIn,
  password: KeyRound,
  wallets: WalletMinimal,
  passkeys: Fingerprint,
  recovery: LifeBuoy,
  exports: Download,
  confirmations: ShieldCheck,
  accounts: Users,
}

type ActivityRowProps = { entry: Activity; isHere: boolean; onReport?: () => void; heading: 'h2' | 'h3' }

/** One thing that happened to the account. */
function ActivityRow({ entry, isHere, onReport, heading }: ActivityRowProps) {
  const { title, subject } = describeActivity(entry, useChecksum(typeof entry.details.address === 'string'))
  const kind = activityKinds.find(({ actions }) => actions.includes(entry.action))?.id ?? ''
  const icon = entry.action === 'signUp' ? UserPlus : (icons[kind] ?? History)
  const device = entry.userAgent && nameDevice(entry.userAgent)
  const report = device
    ? t('This wasn’t me: {what}, {device}', { what: title, device })
    : t('This wasn’t me: {what}', { what: title })
  return (
    <DetailRow
      icon={<RowIcon icon={icon} />}
      title={title}
      heading={heading}
      aside={
        <>
          {subject && <span className="min-w-0 text-sm break-all text-muted">{subject}</span>}
          {isHere && <Badge tone="accent">{t('This device')}</Badge>}
        </>
      }
      facts={[<RelativeTime key="time" date={entry.at} />, device]}
      minorFact={entry.ipAddress}
      actions={
        onReport && (
          <Button look="secondary" onClick={onReport} aria-label={report} title={report} className="max-sm:px-3">
            <ShieldAlert size={18} aria-hidden="true" className="sm:hidden" />
            <span className="max-sm:hidden">{t('This wasn’t me')}</span>
          </Button>
        )
      }
    >
      <DetailList>
        <Detail name={t('Time')}>{formatTime(entry.at)}</Detail>
        {entry.ipAddress && <Detail name={t('IP address')}>{entry.ipAddress}</Detail>}
        {entry.userAgent && (
          <Detail name={t('Device')}>
            <bdi className="text-xs">{entry.userAgent}</bdi>
          </Detail>
        )}
      </DetailList>
    </DetailRow>
  )
}
