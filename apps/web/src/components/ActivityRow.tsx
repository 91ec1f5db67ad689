import type { Activity } from '@countersign/react'
import { Fingerprint, History, KeyRound, LifeBuoy, LogIn, type LucideIcon, Users, WalletMinimal } from 'lucide-react'
import { activityKinds } from '../lib/activityKinds.ts'
import { describeActivity } from '../lib/describeActivity.ts'
import { nameDevice } from '../lib/nameDevice.ts'
import { say } from '../lib/say.ts'
import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { RelativeTime } from './RelativeTime.tsx'

const icons: Record<string, LucideIcon> = {
  'sign-ins': LogIn,
  password: KeyRound,
  wallets: WalletMinimal,
  passkeys: Fingerprint,
  recovery: LifeBuoy,
  accounts: Users,
}

type Props = { entry: Activity; isHere: boolean; onReport?: () => void; heading: 'h2' | 'h3' }

/** One thing that happened to the account. */
export function ActivityRow({ entry, isHere, onReport, heading: Heading }: Props) {
  const { title, subject } = describeActivity(entry)
  const kind = activityKinds.find(({ actions }) => actions.includes(entry.action))?.id ?? ''
  const Icon = icons[kind] ?? History
  const device = entry.userAgent && nameDevice(entry.userAgent)
  return (
    <li className="flex flex-wrap items-start gap-4 py-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-muted">
        <Icon size={20} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <Heading className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
          {title}
          {subject && <span className="min-w-0 font-normal break-all text-muted">{subject}</span>}
          {isHere && <Badge tone="accent">{say('This session')}</Badge>}
        </Heading>
        <p className="mt-0.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted">
          <RelativeTime date={entry.at} />
          {device && <span>{device}</span>}
          {entry.ipAddress && <span className="font-mono text-xs/6">{entry.ipAddress}</span>}
        </p>
      </div>
      {onReport && (
        <Button
          look="secondary"
          onClick={onReport}
          aria-label={
            device
              ? say('This wasn’t me: {what}, {device}', { what: title, device })
              : say('This wasn’t me: {what}', { what: title })
          }
          className="max-sm:ms-15"
        >
          {say('This wasn’t me')}
        </Button>
      )}
    </li>
  )
}
