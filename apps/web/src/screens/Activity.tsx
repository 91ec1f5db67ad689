import { type Activity as Entry, useActivity, useSessions } from '@countersign/react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ActivityExport } from '../components/ActivityExport.tsx'
import { ActivityPage } from '../components/ActivityPage.tsx'
import { Card } from '../components/Card.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { SelectField } from '../components/SelectField.tsx'
import { WasNotMeDialog } from '../components/WasNotMeDialog.tsx'
import { activityKinds } from '../lib/activityKinds.ts'
import { groupDevices } from '../lib/groupDevices.ts'
import { say } from '../lib/say.ts'

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
      <PageHeader title={say('Activity')} aside={<ActivityExport filter={filter} />}>
        {say('What happened to your account, the latest first. If a sign-in was not yours, say so.')}
      </PageHeader>
      <Card aria-label={say('Activity')}>
        <div className="mb-2 grid gap-4 border-b border-line pb-5 sm:grid-cols-2">
          <SelectField
            label={say('Kind')}
            value={kind?.id ?? ''}
            options={[['', say('Everything')], ...activityKinds.map(({ id, describe }) => [id, describe()] as const)]}
            onChange={(value) => choose('kind', value)}
          />
          <SelectField
            label={say('Device')}
            value={userAgents ? device : ''}
            options={[['', say('Every device')], ...[...devices.keys()].map((name) => [name, name] as const)]}
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
      <WasNotMeDialog entry={reported} onClose={() => setReported(undefined)} />
    </>
  )
}
