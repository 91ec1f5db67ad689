import { defineQuery, useSubscription } from '@countersign/react'
import { type Activity as Entry, useActivity, useSessions } from '@countersign/react/account'
import type { ListActivityInput } from '@countersign/react/core'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ActivityRows } from '../../account/ActivityRows.tsx'
import { activityKinds } from '../../account/describeActivity.ts'
import { nameDevice } from '../../account/describeDevice.ts'
import { ReportSignInDialog } from '../../account/ReportSignInDialog.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { SelectField } from '../../ui/forms/Field.tsx'
import { useShowsKept } from '../../ui/keptSince.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ActivityExport } from './ActivityExport.tsx'
import { SentCard } from './SentCard.tsx'

export function Activity() {
  const [search, setSearch] = useSearchParams()
  const sessions = useSessions()
  const latest = useActivity({ limit: 50 })
  const [reported, setReported] = useState<Entry>()

  const known = sessions.data ?? []
  const entries = latest.status === 'success' ? latest.data : []
  const devices = groupDevices([...known, ...entries].map(({ userAgent }) => userAgent))
  const kind = activityKinds.find(({ id }) => id === search.get('kind'))
  const device = search.get('device') ?? ''
  const userAgents = devices.get(device)
  const filter = { ...(kind && { actions: kind.actions }), ...(userAgents && { userAgents }) }

  const choose = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )

  return (
    <>
      <PageHeader title={t('Activity')} aside={<ActivityExport filter={filter} />}>
        {t('Recent events on your account. Report any sign-in you don’t recognize.')}
      </PageHeader>
      <SentCard />
      <Card aria-label={t('Activity')}>
        <div className="mb-2 grid gap-4 border-b border-line pb-5 sm:grid-cols-2">
          <SelectField
            label={t('Type')}
            value={kind?.id ?? ''}
            options={[['', t('All events')], ...activityKinds.map(({ id, describe }) => [id, describe()] as const)]}
            onChange={(value) => choose('kind', value)}
          />
          <SelectField
            label={t('Device')}
            value={userAgents ? device : ''}
            options={[['', t('All devices')], ...[...devices.keys()].map((name) => [name, name] as const)]}
            onChange={(value) => choose('device', value)}
          />
        </div>
        <ActivityPage
          key={JSON.stringify(filter)}
          filter={filter}
          ownSession={known.find(({ current }) => current)?.objectId}
          onReport={setReported}
        />
      </Card>
      <ReportSignInDialog entry={reported} onClose={() => setReported(undefined)} />
    </>
  )
}

const pageSize = 50
const ownSessions = defineQuery('_Session', {})

type Props = {
  filter: ListActivityInput
  before?: Date
  /** The session of this page. */
  ownSession?: string
  onReport: (entry: Entry) => void
}

/** A page of activity, and below it the older one when it is asked for. */
function ActivityPage({ filter, before, ownSession, onReport }: Props) {
  const activity = useActivity({ limit: pageSize, ...filter, ...(before && { before }) })
  const [isOpen, setOpen] = useState(false)
  useShowsKept(activity)
  const readAgain = () => void activity.refetch()
  // A sign-in or sign-out adds an event, which shows up automatically. Older events do not change.
  useSubscription({
    query: ownSessions,
    enabled: !before,
    onCreate: readAgain,
    onDelete: readAgain,
    onResync: readAgain,
  })
  if (!activity.data) {
    const failure = t('Your activity could not be loaded')
    return <ReadingStatus reading={activity} label={t('Loading your activity…')} failure={failure} bare />
  }
  const { data } = activity
  if (data.length === 0 && before)
    return <p className="border-t border-line pt-5 text-sm text-muted">{t('End of activity')}</p>
  if (data.length === 0)
    return (
      <EmptyState icon={SearchX} title={t('No matching events')}>
        {t('Try a different type or device.')}
      </EmptyState>
    )
  const last = data.at(-1)?.at
  return (
    <>
      <ActivityRows
        entries={data}
        ownSession={ownSession}
        onReport={onReport}
        className={before ? 'divide-y divide-line border-t border-line' : 'divide-y divide-line last:-mb-3.5'}
      />
      {data.length >= pageSize && !isOpen && (
        <div className="flex justify-center border-t border-line pt-5">
          <Button look="secondary" onClick={() => setOpen(true)}>
            {t('Show older')}
          </Button>
        </div>
      )}
      {isOpen && last && <ActivityPage filter={filter} before={last} ownSession={ownSession} onReport={onReport} />}
    </>
  )
}

/** Browsers that people see as one, each with the texts it announced itself by, in the order of their names. */
function groupDevices(userAgents: readonly (string | undefined)[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const userAgent of new Set(userAgents)) {
    if (userAgent === undefined) continue
    const name = nameDevice(userAgent)
    groups.set(name, [...(groups.get(name) ?? []), userAgent])
  }
  return new Map([...groups].sort(([one], [other]) => one.localeCompare(other)))
}
