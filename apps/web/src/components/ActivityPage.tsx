import { type Activity, type ListActivityInput, query, useActivity, useSubscription } from '@countersign/react'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { say } from '../lib/say.ts'
import { ActivityRows } from './ActivityRows.tsx'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'

const pageSize = 50
const ownSessions = query('_Session', {})

type Props = {
  filter: ListActivityInput
  before?: Date
  /** The session of this page. */
  ownSession?: string
  onReport: (entry: Activity) => void
}

/** A page of activity, and below it the older one when it is asked for. */
export function ActivityPage({ filter, before, ownSession, onReport }: Props) {
  const activity = useActivity({ limit: pageSize, ...filter, ...(before && { before }) })
  const [isOpen, setOpen] = useState(false)
  const readAgain = () => void activity.refetch()
  // Whoever comes or goes has left an entry; it shows by itself. What is older does not change.
  useSubscription({
    query: ownSessions,
    enabled: !before,
    onCreate: readAgain,
    onDelete: readAgain,
    onResync: readAgain,
  })
  if (activity.status === 'pending') return <RowsSkeleton label={say('Loading your activity…')} bare />
  if (!activity.data) {
    const title = say('Your activity could not be loaded')
    return <LoadFailure title={title} error={activity.error} onRetry={() => void activity.refetch()} />
  }
  const { data } = activity
  if (data.length === 0 && before)
    return <p className="border-t border-line pt-5 text-sm text-muted">{say('That is all.')}</p>
  if (data.length === 0)
    return (
      <EmptyState icon={SearchX} title={say('Nothing of that kind')}>
        {say('Choose another kind or device to see more.')}
      </EmptyState>
    )
  const last = data.at(-1)?.at
  return (
    <>
      <ActivityRows
        entries={data}
        ownSession={ownSession}
        onReport={onReport}
        className={before ? 'divide-y divide-line border-t border-line' : 'divide-y divide-line last:-mb-4'}
      />
      {data.length >= pageSize && !isOpen && (
        <div className="flex justify-center border-t border-line pt-5">
          <Button look="secondary" onClick={() => setOpen(true)}>
            {say('Show older')}
          </Button>
        </div>
      )}
      {isOpen && last && <ActivityPage filter={filter} before={last} ownSession={ownSession} onReport={onReport} />}
    </>
  )
}
