import type { AuditRecord, ConsoleUserRecord } from '@countersign/protocol'
import { KeyRound, type LucideIcon, ShieldCheck, UserCog, Wallet } from 'lucide-react'
import { useState } from 'react'
import { describeActivity } from '../../../account/describeActivity.ts'
import { byLocale } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/DetailRow.tsx'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { AuditSentence } from '../audit/AuditSentence.tsx'

type Kind = 'signIns' | 'wallets' | 'account' | 'operators'
type Moment = { id: string; at: Date; kind: Kind; text: React.ReactNode; facts: readonly React.ReactNode[] }

const icons: Record<Kind, LucideIcon> = {
  signIns: KeyRound,
  wallets: Wallet,
  account: ShieldCheck,
  operators: UserCog,
}

const days = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full' }))
const times = byLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))

/** History of an account by day, newest first: acts of its owner and of operators. */
export function UserTimeline({ user }: { user: ConsoleUserRecord }) {
  const { areas } = useConsole()
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const audit = useAsk('listAudit', { subject: user.objectId, limit: '100' }, { enabled: areas.includes('audit') })
  const moments = [...listActivity(user), ...listActs(audit.data)].sort(
    (one, other) => other.at.getTime() - one.at.getTime(),
  )
  const shown = moments.filter((moment) => kind === 'all' || moment.kind === kind)
  const byDay = new Map<string, Moment[]>()
  for (const moment of shown) {
    const day = days().format(moment.at)
    byDay.set(day, [...(byDay.get(day) ?? []), moment])
  }
  return (
    <Card aria-labelledby="timeline">
      <CardHeader
        id="timeline"
        title={t('Timeline')}
        aside={
          <ChipSelect
            label={t('Filter|noun')}
            value={kind}
            options={[
              ['all', t('All')],
              ['signIns', t('Sign-ins')],
              ['wallets', t('Wallets')],
              ['account', t('Account')],
              ['operators', t('Operators')],
            ]}
            onChange={setKind}
          />
        }
      />
      {shown.length === 0 && <p className="text-sm text-muted">{t('Nothing yet')}</p>}
      {[...byDay].map(([day, list]) => (
        <section key={day} aria-label={day} className="not-first:mt-5">
          <h3 className="mb-2 text-xs font-semibold text-muted">{day}</h3>
          <ol className="border-s-2 border-line ps-0">
            {list.map((moment) => (
              <MomentRow key={moment.id} moment={moment} />
            ))}
          </ol>
        </section>
      ))}
    </Card>
  )
}

function MomentRow({ moment: { at, kind, text, facts } }: { moment: Moment }) {
  const Icon = icons[kind]
  return (
    <li className="relative flex flex-wrap items-baseline gap-x-4 py-1.5 ps-6 text-sm">
      <span className="absolute -start-3.25 top-1.5 grid size-6 place-items-center rounded-full border border-line bg-surface text-muted">
        <Icon size={13} aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      <span className="text-muted tabular-nums">
        <Facts
          items={[
            ...facts,
            <time key="at" dateTime={at.toISOString()}>
              {times().format(at)}
            </time>,
          ]}
        />
      </span>
    </li>
  )
}

function listActivity({ activity }: ConsoleUserRecord): Moment[] {
  return activity.map((entry) => {
    const at = new Date(entry.at)
    const { title, subject } = describeActivity(entry)
    return {
      id: entry.id,
      at,
      kind: kindOf(entry.action),
      text: (
        <>
          <span className="font-semibold">{title}</span>
          {subject && ` · ${subject}`}
        </>
      ),
      facts: [entry.ipAddress],
    }
  })
}

function kindOf(action: string): Kind {
  if (/^sign(In|Up|Out)$|^reauthenticate$|^stepUp$/.test(action)) return 'signIns'
  if (/wallet/i.test(action)) return 'wallets'
  return /Operator$|^(disable|enable)Account$|^impersonate$/.test(action) ? 'operators' : 'account'
}

/** Entries that the account's own activity has not: those repeat it. */
function listActs(log: { results: AuditRecord[]; names: Record<string, string> } | undefined): Moment[] {
  if (!log) return []
  return log.results
    .filter(({ action }) => !action.startsWith('account.'))
    .map((entry) => ({
      id: `audit ${entry.id}`,
      at: new Date(entry.at),
      kind: 'operators' as const,
      text: <AuditSentence entry={entry} names={log.names} />,
      facts: [entry.address],
    }))
}
