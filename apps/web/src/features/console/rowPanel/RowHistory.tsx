import type { AuditRecord, WireFields } from '@countersign/protocol'
import { Link } from 'react-router'
import { formatList } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAsk } from '../ask.ts'

/** Changes of an object from the audit log: those of operators and the master key. */
export function RowHistory({ className, row }: { className: string; row: WireFields }) {
  const objectId = String(row.objectId)
  // Changes of users and roles through their own endpoints are logged by id alone.
  const isOwn = className.startsWith('_')
  const subject = `${className}/${objectId}`
  const plain = useAsk('listAudit', { subject, limit: '50' }, { every: 5_000 })
  const own = useAsk('listAudit', { subject: objectId, limit: '50' }, { every: 5_000, enabled: isOwn })
  const entries = [...(plain.data?.results ?? []), ...((isOwn && own.data?.results) || [])].sort(
    (a, b) => Number(b.id) - Number(a.id),
  )
  return (
    <>
      <p className="text-sm text-muted">
        {t('Changes by operators and the master key. Other changes are not logged.')}
      </p>
      <ReadingStatus reading={plain} failure={t('The audit log could not be loaded')} bare />
      <ol aria-label={t('History')} className="mt-4 divide-y divide-line text-sm">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
        <Moment date={row.updatedAt} words={t('Last changed')} />
        {!entries.some(isCreation) && <Moment date={row.createdAt} words={t('Created')} />}
      </ol>
      {entries.length > 0 && (
        <ButtonLink look="ghost" to={`/admin/audit?subject=${encodeURIComponent(subject)}`} className="mt-3">
          {t('Open in the audit log')}
        </ButtonLink>
      )}
    </>
  )
}

function Moment({ date, words }: { date: WireFields[string] | undefined; words: string }) {
  if (typeof date !== 'string') return null
  return (
    <li className="flex flex-wrap justify-between gap-x-3 py-2.5 text-muted">
      {words}
      <RelativeTime date={new Date(date)} />
    </li>
  )
}

function Entry({ entry: { at, actor, action, details } }: { entry: AuditRecord }) {
  const { fields } = details as { fields?: unknown }
  const names = Array.isArray(fields) ? fields.filter((name): name is string => typeof name === 'string') : []
  return (
    <li className="py-2.5">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-semibold">{nameAction(action)}</span>
        <span className="text-muted">
          <RelativeTime date={new Date(at)} />
        </span>
      </p>
      {names.length > 0 && <p className="mt-0.5 wrap-anywhere">{formatList(names)}</p>}
      <p className="mt-0.5 text-muted">
        <Actor actor={actor} />
      </p>
    </li>
  )
}

function Actor({ actor }: { actor: string }) {
  const [kind = '', id] = actor.split(':')
  if (kind === 'masterKey') return t('Master key')
  if (id === undefined || !['user', 'operator'].includes(kind)) return <bdi>{actor}</bdi>
  return (
    <Link to={`/admin/users/${encodeURIComponent(id)}`} className="underline wrap-anywhere">
      {kind === 'operator' ? t('Operator {id}', { id }) : t('User {id}', { id })}
    </Link>
  )
}

const isCreation = ({ action }: AuditRecord) => action.startsWith('create')

function nameAction(action: string): string {
  if (/^create/.test(action)) return t('Created')
  if (/^update/.test(action)) return t('Changed')
  if (/^delete/.test(action)) return t('Deleted')
  return action
}
