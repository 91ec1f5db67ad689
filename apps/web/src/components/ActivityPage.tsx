import { type Activity, type ListActivityInput, useActivity } from '@countersign/react'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { ActivityRow } from './ActivityRow.tsx'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'

const pageSize = 50

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
  if (activity.status === 'pending') return <RowsSkeleton label="Loading your activity…" bare />
  if (activity.status === 'error') {
    const title = 'Your activity could not be loaded'
    return <LoadFailure title={title} error={activity.error} onRetry={() => void activity.refetch()} />
  }
  const { data } = activity
  if (data.length === 0 && before) return <p className="border-t border-line pt-5 text-sm text-muted">That is all.</p>
  if (data.length === 0)
    return (
      <EmptyState icon={SearchX} title="Nothing of that kind">
        Choose another kind or device to see more.
      </EmptyState>
    )
  const last = data.at(-1)?.at
  return (
    <>
      <ul className={before ? 'divide-y divide-line border-t border-line' : 'divide-y divide-line last:-mb-4'}>
        {data.map((entry) => {
          const isHere = ownSession !== undefined && entry.details.session === ownSession
          // Whose session this is cannot be told before it is known.
          const isForeign = entry.action === 'signIn' && ownSession !== undefined && !isHere
          return (
            <ActivityRow
              key={entry.id}
              entry={entry}
              isHere={isHere}
              {...(isForeign && { onReport: () => onReport(entry) })}
            />
          )
        })}
      </ul>
      {data.length >= pageSize && !isOpen && (
        <div className="flex justify-center border-t border-line pt-5">
          <Button look="secondary" onClick={() => setOpen(true)}>
            Show older
          </Button>
        </div>
      )}
      {isOpen && last && <ActivityPage filter={filter} before={last} ownSession={ownSession} onReport={onReport} />}
    </>
  )
}
