import type { ConsoleUserRow, UserFilter } from '@countersign/protocol'
import { UserRound, Users as UsersIcon } from 'lucide-react'
import { lazy } from 'react'
import { Link, Route, Routes, useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Facts, RowIcon } from '../../../ui/DetailRow.tsx'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { describeRole, describeStatus } from '../describe.ts'
import { PagedList } from '../PagedList.tsx'
import { SearchForm } from '../SearchForm.tsx'

const UserPage = lazy(async () => ({ default: (await import('./UserPage.tsx')).UserPage }))

export function Users() {
  return (
    <Routes>
      <Route index element={<UserList />} />
      <Route path=":objectId" element={<UserPage />} />
    </Routes>
  )
}

const filters: readonly UserFilter[] = ['all', 'disabled', 'deleting', 'unverified', 'guests', 'operators']

function UserList() {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  const filter = filters.find((each) => each === parameters.get('filter')) ?? 'all'
  const change = (next: Record<string, string>) => {
    const given = { search, filter: filter as string, ...next }
    setParameters(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== 'all')))
  }
  return (
    <>
      <PageHeader title={t('Users')}>{t('Find users by name, email, ID or wallet.')}</PageHeader>
      <SearchForm
        label={t('Search users')}
        placeholder={t('Name, email, ID or wallet')}
        search={search}
        onSearch={(text) => change({ search: text })}
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
      <PagedList
        key={`${filter} ${search}`}
        name="listConsoleUsers"
        input={(after) => ({ search, filter, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(user) => <UserRow key={user.objectId} user={user} />}
        failure={t('The users could not be loaded')}
        empty={{ icon: UsersIcon, title: t('No users found') }}
      />
    </>
  )
}

function UserRow({ user }: { user: ConsoleUserRow }) {
  const { objectId, username, email, createdAt, lastSeenAt, status, isGuest, operator, emailVerified } = user
  return (
    <li className="relative flex items-center gap-3.5 py-3 hover:bg-sunken/60">
      <span className="max-sm:hidden">
        <RowIcon icon={UserRound} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link to={`/admin/users/${objectId}`} className="font-semibold wrap-anywhere after:absolute after:inset-0">
            <bdi>{username}</bdi>
          </Link>
          {status !== 'active' && <Badge tone="warn">{describeStatus(status)}</Badge>}
          {isGuest && <Badge>{t('Guest')}</Badge>}
          {operator && <Badge tone="accent">{describeRole(operator)}</Badge>}
        </div>
        <p className="text-sm text-muted wrap-anywhere">
          <Facts
            items={[
              email && <bdi key="email">{email}</bdi>,
              email && !emailVerified && t('Not verified'),
              lastSeenAt ? (
                <RelativeTime key="seen" date={new Date(lastSeenAt)} />
              ) : (
                <RelativeTime key="made" date={new Date(createdAt)} />
              ),
            ]}
          />
        </p>
      </div>
      <code className="text-xs text-muted max-md:hidden">{objectId}</code>
    </li>
  )
}
