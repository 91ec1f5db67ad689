import type { Activity } from '@countersign/react'
import { ActivityRow } from './ActivityRow.tsx'

type Props = {
  entries: readonly Activity[]
  /** The session of this page. */
  ownSession?: string
  onReport: (entry: Activity) => void
  /** Below a heading of their own the rows have theirs one level deeper. */
  heading?: 'h2' | 'h3'
  className?: string
}

/** Things that happened to the account; a sign-in from elsewhere can be reported. */
export function ActivityRows({ entries, ownSession, onReport, heading = 'h2', className }: Props) {
  return (
    <ul className={className}>
      {entries.map((entry) => {
        const isHere = ownSession !== undefined && entry.details.session === ownSession
        // Whose session this is cannot be told before it is known.
        const isForeign = entry.action === 'signIn' && ownSession !== undefined && !isHere
        return (
          <ActivityRow
            key={entry.id}
            entry={entry}
            isHere={isHere}
            heading={heading}
            {...(isForeign && { onReport: () => onReport(entry) })}
          />
        )
      })}
    </ul>
  )
}
