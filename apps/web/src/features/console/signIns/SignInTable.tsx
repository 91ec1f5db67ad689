import type { SignInLogRecord, SignInResult } from '@countersign/protocol'
import { LogIn } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { nameDevice } from '../../../account/describeDevice.ts'
import { formatNumber, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { type Input, useAsk } from '../ask.ts'
import { nameMethod } from '../nameMethod.ts'
import { useSignInExport } from './useSignInExport.ts'

const results = ['succeeded', 'failed', 'incomplete'] as const
const methods = [
  'password',
  'wallet',
  'passkey',
  'provider',
  'emailCode',
  'recoveryCode',
  'secondFactor',
  'farcaster',
  'guest',
  'legacyClient',
  'operator',
] as const
const periods = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

const names = ['result', 'method', 'period', 'user', 'address'] as const
type Filter = Partial<Record<(typeof names)[number], string>>

/** Sign-in attempts by filter, newest first. The filter is in the address. */
export function SignInTable() {
  const [parameters, setParameters] = useSearchParams()
  const [round, setRound] = useState(0)
  const filter: Filter = Object.fromEntries(
    names.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name)]] : [])),
  )
  const show = (next: Filter) => {
    setParameters(Object.entries({ ...filter, ...next }).filter((entry): entry is [string, string] => !!entry[1]))
    setRound(round + 1)
  }
  return (
    <>
      <FilterForm filter={filter} onChange={show} />
      <Attempts key={`${round} ${parameters}`} filter={filter} onRefresh={() => setRound(round + 1)} />
    </>
  )
}

function FilterForm({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onChange({ user: String(form.get('user') ?? '').trim(), address: String(form.get('address') ?? '').trim() })
  }
  return (
    <search>
      <Card className="mb-6">
        <form
          key={`${filter.user} ${filter.address}`}
          onSubmit={submit}
          className="grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,2fr)_minmax(0,1fr)_auto]"
        >
          <SelectField
            label={t('Result')}
            value={filter.result ?? ''}
            options={[['', t('All')], ...results.map((each) => [each, nameResult(each)] as const)]}
            onChange={(result) => onChange({ result })}
          />
          <SelectField
            label={t('Method')}
            value={filter.method ?? ''}
            options={[['', t('All')], ...methods.map((each) => [each, nameMethod(each)] as const)]}
            onChange={(method) => onChange({ method })}
          />
          <SelectField
            label={t('Period')}
            value={filter.period ?? ''}
            options={[
              ['', t('All')],
              ['hour', t('Last hour')],
              ['day', t('Last 24 hours')],
              ['week', t('Last 7 days')],
            ]}
            onChange={(period) => onChange({ period })}
          />
          <TextField
            label={t('User|person')}
            name="user"
            defaultValue={filter.user}
            maxLength={320}
            placeholder={t('Name, email address or wallet')}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            label={t('IP address')}
            name="address"
            defaultValue={filter.address}
            maxLength={64}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" look="secondary">
            {t('Filter|action')}
          </Button>
        </form>
      </Card>
    </search>
  )
}

/** Input for the server. A parameter that the address bar got wrong filters nothing. */
function readFilter({ result, method, period, user, address }: Filter, now: number): Input<'listSignIns'> {
  const known = {
    result: results.find((each) => each === result),
    method: methods.find((each) => each === method),
  }
  const length = periods[period as keyof typeof periods]
  return {
    ...(known.result && { result: known.result }),
    ...(known.method && { method: known.method }),
    ...(length && { from: new Date(now - length).toISOString() }),
    ...(user && { user: user.slice(0, 320) }),
    ...(address && { address: address.slice(0, 64) }),
  }
}

function Attempts({ filter, onRefresh }: { filter: Filter; onRefresh: () => void }) {
  const [input] = useState(() => readFilter(filter, Date.now()))
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined])
  const { pending, exportRows } = useSignInExport(input)
  return (
    <Card>
      <div className="mb-3 flex flex-wrap justify-end gap-2">
        <Button look="secondary" onClick={onRefresh}>
          {t('Refresh')}
        </Button>
        <Button look="secondary" pending={pending} onClick={() => void exportRows()}>
          {t('Export CSV')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls is reached by keyboard */}
      <section className="overflow-x-auto" aria-label={t('Sign-ins')} tabIndex={0}>
        <table className="w-full min-w-max text-start text-sm">
          <thead className="border-b border-line text-muted">
            <tr>
              {[t('Time'), t('User|person'), t('Method'), t('Result'), t('Reason'), t('IP address'), t('Device')].map(
                (name) => (
                  <th key={name} scope="col" className="py-2 pe-6 text-start font-semibold whitespace-nowrap">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          {starts.map((start, place) => (
            <Rows
              key={start ?? ''}
              input={input}
              start={start}
              onMore={place === starts.length - 1 ? (next) => setStarts([...starts, next]) : undefined}
            />
          ))}
        </table>
      </section>
    </Card>
  )
}

type RowsProps = {
  input: Input<'listSignIns'>
  start: string | undefined
  /** Set for the last page. */
  onMore: ((start: string) => void) | undefined
}

function Rows({ input, start, onMore }: RowsProps) {
  const page = useAsk('listSignIns', { ...input, ...(start !== undefined && { after: start }) })
  if (!page.data)
    return <Whole>{<ReadingStatus reading={page} failure={t('The sign-ins could not be loaded')} bare />}</Whole>
  const { results: rows, next, days } = page.data
  if (rows.length === 0 && start === undefined)
    return (
      <Whole>
        <EmptyState icon={LogIn} title={t('No sign-ins')}>
          {days === 0 ? t('The sign-in log is off in the configuration.') : undefined}
        </EmptyState>
      </Whole>
    )
  return (
    <>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <Row key={row.objectId} row={row} />
        ))}
      </tbody>
      {onMore && next !== undefined && (
        <Whole>
          <div className="py-4 text-center">
            <Button look="secondary" onClick={() => onMore(next)}>
              {t('Show more')}
            </Button>
          </div>
        </Whole>
      )}
    </>
  )
}

function Whole({ children }: { children: React.ReactNode }) {
  return (
    <tbody>
      <tr>
        <td colSpan={7}>{children}</td>
      </tr>
    </tbody>
  )
}

const cell = 'py-2 pe-6 align-baseline whitespace-nowrap'

function Row({ row: { at, user, method, result, reason, ipAddress, userAgent, count } }: { row: SignInLogRecord }) {
  return (
    <tr>
      <td className={cell}>
        <time dateTime={at}>{formatTime(new Date(at))}</time>
      </td>
      <td className={`${cell} max-w-56 truncate`}>
        {user ? (
          <Link to={`/admin/users/${user.objectId}`} className="text-accent hover:underline">
            <bdi>{user.username}</bdi>
          </Link>
        ) : (
          <span className="text-muted">{t('Unknown')}</span>
        )}
      </td>
      <td className={cell}>{nameMethod(method)}</td>
      <td className={cell}>
        <Badge tone={result === 'succeeded' ? 'ok' : result === 'failed' ? 'warn' : 'neutral'}>
          {nameResult(result)}
        </Badge>{' '}
        {count > 1 && <span className="text-muted tabular-nums">×{formatNumber(count)}</span>}
      </td>
      <td className={cell}>{reason !== undefined && nameReason(reason)}</td>
      <td className={`${cell} font-mono text-xs`}>{ipAddress && <bdi dir="ltr">{ipAddress}</bdi>}</td>
      <td className={`${cell} max-w-56 truncate`} title={userAgent}>
        {userAgent && <bdi>{nameDevice(userAgent)}</bdi>}
      </td>
    </tr>
  )
}

function nameResult(result: SignInResult): string {
  switch (result) {
    case 'succeeded':
      return t('Succeeded')
    case 'failed':
      return t('Failed')
    case 'incomplete':
      return t('Incomplete|signIn')
  }
}

/** Common reasons in words; the others by the name that the documentation has. */
function nameReason(reason: string) {
  switch (reason) {
    case 'invalidCredentials':
      return t('Wrong name or password')
    case 'tooManyFailedSignIns':
      return t('Locked after failed sign-ins')
    case 'rateLimited':
      return t('Rate limit reached')
    case 'secondFactorRequired':
      return t('Second factor required')
    default:
      return (
        <code className="text-xs" dir="ltr">
          {reason}
        </code>
      )
  }
}
