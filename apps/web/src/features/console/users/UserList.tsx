import type { ConsoleUserRow, UserFilter, UserOrder } from '@countersign/protocol'
import { ArrowDown, ArrowUp, Users as UsersIcon } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AddressName } from '../../../chain/AddressName.tsx'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { ask, useAsk, useConsole } from '../ask.ts'
import { nameMethod } from '../nameMethod.ts'
import { SearchForm } from '../SearchForm.tsx'
import { describeRole, describeStatus } from './describeUser.ts'
import { UserBulk } from './UserBulk.tsx'

const filters: readonly UserFilter[] = ['all', 'disabled', 'deleting', 'unverified', 'guests', 'operators']
const orders: readonly UserOrder[] = ['-createdAt', 'createdAt', 'username', '-username', 'lastSeenAt', '-lastSeenAt']

const isAddress = (text: string) => /^0x[0-9a-f]{40}$/i.test(text)

/** Users as a table, sorted by its heads. The search, filter and order are in the address. */
export function UserList() {
  const [parameters, setParameters] = useSearchParams()
  const navigate = useNavigate()
  const search = parameters.get('search') ?? ''
  const filter = filters.find((each) => each === parameters.get('filter')) ?? 'all'
  const order = orders.find((each) => each === parameters.get('order')) ?? '-createdAt'
  const change = (next: Record<string, string>) => {
    const given = { search, filter: filter as string, order: order as string, ...next }
    const isDefault = (value: string) => value === '' || value === 'all' || value === '-createdAt'
    setParameters(Object.fromEntries(Object.entries(given).filter(([, value]) => !isDefault(value))))
  }
  /** A wallet belongs to one user at most, whose page is what an operator wants. */
  const find = async (text: string) => {
    const found = isAddress(text)
      ? await ask('listConsoleUsers', { search: text, limit: '2' }).catch(() => undefined)
      : undefined
    const [only, another] = found?.results ?? []
    if (only && !another) void navigate(`/admin/users/${only.objectId}`)
    else change({ search: text })
  }
  return (
    <>
      <PageHeader title={t('Users')}>{t('Find users by name, email, ID or wallet.')}</PageHeader>
      <SearchForm
        label={t('Search users')}
        placeholder={t('Name, email, ID or wallet')}
        search={search}
        onSearch={(text) => void find(text)}
      >
        <ChipSelect
          label={t('Filter|noun')}
          value={filter}
          options={[
            ['all', t('All users')],
            ['disabled', t('Disabled')],
            ['deleting', t('Scheduled for deletion')],
            ['unverified', t('Email not verified')],
            ['guests', t('Guests')],
            ['operators', t('Operators')],
          ]}
          onChange={(next) => change({ filter: next })}
        />
      </SearchForm>
      <UserTable
        key={`${filter} ${order} ${search}`}
        input={{ search, filter, order }}
        onOrder={(next) => change({ order: next })}
      />
    </>
  )
}

type Query = { search: string; filter: UserFilter; order: UserOrder }

function UserTable({ input, onOrder }: { input: Query; onOrder: (order: UserOrder) => void }) {
  const mayChange = useConsole().role !== 'viewer'
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined])
  const [picked, setPicked] = useState<ReadonlyMap<string, ConsoleUserRow>>(new Map())
  const [pages, setPages] = useState<ReadonlyMap<string, readonly ConsoleUserRow[]>>(new Map())
  const all = [...pages.values()].flat()
  const [round, setRound] = useState(0)
  const toggle = (users: readonly ConsoleUserRow[], isOn: boolean) => {
    const next = new Map(picked)
    for (const user of users) isOn ? next.set(user.objectId, user) : next.delete(user.objectId)
    setPicked(next)
  }
  const head = { order: input.order, onOrder }
  return (
    <Card className="p-0! sm:p-0!">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard */}
      <section tabIndex={0} aria-label={t('Users')} className="overflow-x-auto rounded-card">
        <table className="w-full text-sm">
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              {mayChange && (
                <th className="w-11 ps-4">
                  <PickBox
                    label={t('Select all shown users')}
                    isOn={all.length > 0 && all.every(({ objectId }) => picked.has(objectId))}
                    isPart={picked.size > 0}
                    onChange={(isOn) => toggle(all, isOn)}
                  />
                </th>
              )}
              <Head {...head} name="username" label={t('Name')} />
              <Head label={t('Wallet')} className="max-lg:hidden" />
              <Head label={t('Sign-in methods')} className="max-lg:hidden" />
              <Head {...head} name="lastSeenAt" label={t('Last seen')} />
              <Head {...head} name="createdAt" label={t('Created')} className="max-md:hidden" />
            </tr>
          </thead>
          <tbody key={round} className="divide-y divide-line">
            {starts.map((start, place) => (
              <PageRows
                key={start ?? ''}
                input={{ ...input, ...(start !== undefined && { after: start }) }}
                picked={mayChange ? picked : undefined}
                onToggle={toggle}
                onRead={(users) => setPages((before) => new Map(before).set(start ?? '', users))}
                {...(place === starts.length - 1 && { onMore: (next: string) => setStarts([...starts, next]) })}
              />
            ))}
          </tbody>
        </table>
      </section>
      {mayChange && (
        <UserBulk
          users={[...picked.values()]}
          onClear={() => setPicked(new Map())}
          onChanged={() => {
            setPicked(new Map())
            setRound(round + 1)
          }}
        />
      )}
    </Card>
  )
}

type HeadProps = {
  label: string
  className?: string
  name?: 'username' | 'lastSeenAt' | 'createdAt'
  order?: UserOrder
  onOrder?: (order: UserOrder) => void
}

/** A head that sorts: names from A, times from the newest, and the other way by a second press. */
function Head({ label, className, name, order, onOrder }: HeadProps) {
  if (!name || !onOrder) return <th className={cx('px-3 py-2 text-start font-semibold', className)}>{label}</th>
  const isOwn = order?.replace('-', '') === name
  const isDescending = order?.startsWith('-') ?? false
  const first: UserOrder = name === 'username' ? 'username' : `-${name}`
  const next = isOwn ? (isDescending ? name : (`-${name}` as const)) : first
  const Icon = isDescending ? ArrowDown : ArrowUp
  return (
    <th
      aria-sort={isOwn ? (isDescending ? 'descending' : 'ascending') : undefined}
      className={cx('px-3 text-start', className)}
    >
      <button
        type="button"
        onClick={() => onOrder(next)}
        className="inline-flex min-h-11 items-center gap-1 font-semibold whitespace-nowrap hover:text-ink"
      >
        {label}
        {isOwn && <Icon size={14} aria-hidden="true" />}
      </button>
    </th>
  )
}

type PageProps = {
  input: Query & { after?: string }
  picked: ReadonlyMap<string, ConsoleUserRow> | undefined
  onToggle: (users: readonly ConsoleUserRow[], isOn: boolean) => void
  onRead: (users: readonly ConsoleUserRow[]) => void
  /** Of the last page. */
  onMore?: (start: string) => void
}

function PageRows({ input, picked, onToggle, onRead, onMore }: PageProps) {
  const page = useAsk('listConsoleUsers', input)
  const read = useEffectEvent(onRead)
  const users = page.data?.results
  useEffect(() => {
    if (users) read(users)
  }, [users])
  if (!page.data)
    return (
      <Whole>
        <ReadingStatus reading={page} failure={t('The users could not be loaded')} bare />
      </Whole>
    )
  const { results, next } = page.data
  if (results.length === 0 && input.after === undefined)
    return (
      <Whole>
        <EmptyState icon={UsersIcon} title={t('No users found')} />
      </Whole>
    )
  return (
    <>
      {results.map((user) => (
        <UserRow
          key={user.objectId}
          user={user}
          {...(picked && { isPicked: picked.has(user.objectId), onPick: (isOn) => onToggle([user], isOn) })}
        />
      ))}
      {onMore && next !== undefined && (
        <Whole>
          <p className="text-center">
            <Button look="secondary" onClick={() => onMore(next)}>
              {t('Show more')}
            </Button>
          </p>
        </Whole>
      )}
    </>
  )
}

const Whole = ({ children }: { children: ReactNode }) => (
  <tr>
    <td colSpan={6} className="p-4">
      {children}
    </td>
  </tr>
)

type PickProps = { label: string; isOn: boolean; isPart?: boolean; onChange: (isOn: boolean) => void }

const PickBox = ({ label, isOn, isPart = false, onChange }: PickProps) => (
  <label className="grid size-11 place-items-center md:size-9">
    <input
      type="checkbox"
      ref={(box) => {
        if (box) box.indeterminate = isPart && !isOn
      }}
      checked={isOn}
      aria-label={label}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4.5"
    />
  </label>
)

type RowProps = { user: ConsoleUserRow; isPicked?: boolean; onPick?: (isOn: boolean) => void }

function UserRow({ user, isPicked = false, onPick }: RowProps) {
  const { objectId, username, email, createdAt, lastSeenAt, status, isGuest, operator, wallet, methods } = user
  return (
    <tr className={cx('relative hover:bg-sunken/60', isPicked && 'bg-accent-soft')}>
      {onPick && (
        <td className="relative z-10 ps-4">
          <PickBox label={t('Select {name}', { name: username })} isOn={isPicked} onChange={onPick} />
        </td>
      )}
      <td className="px-3 py-2">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link to={`/admin/users/${objectId}`} className="font-semibold wrap-anywhere after:absolute after:inset-0">
            <bdi>{username}</bdi>
          </Link>
          {status !== 'active' && <Badge tone="warn">{describeStatus(status)}</Badge>}
          {isGuest && <Badge>{t('Guest')}</Badge>}
          {operator && <Badge tone="accent">{describeRole(operator)}</Badge>}
        </span>
        {email && <bdi className="block text-muted wrap-anywhere">{email}</bdi>}
      </td>
      <td className="px-3 py-2 max-lg:hidden">{wallet && <AddressName address={wallet} />}</td>
      <td className="px-3 py-2 text-muted max-lg:hidden">{methods.map(nameMethod).join(', ')}</td>
      <td className="px-3 py-2 whitespace-nowrap text-muted">
        {lastSeenAt ? <RelativeTime date={new Date(lastSeenAt)} /> : t('Never')}
      </td>
      <td className="px-3 py-2 whitespace-nowrap text-muted max-md:hidden">
        <RelativeTime date={new Date(createdAt)} />
      </td>
    </tr>
  )
}
