import { formatTime } from '../../core/devtools/formatTime.ts'
import type { Transition } from '../../core/devtools/Recording.ts'

/** The states that the session went through, latest first. */
export function HistoryList({ transitions }: { transitions: readonly Transition[] }) {
  return (
    <>
      <h3>History</h3>
      <ol className="history">
        {transitions.map(({ id, at, status, username }) => (
          <li key={id}>
            <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
            <span className="dot" data-status={status} />
            {status}
            {username && <span className="muted">{username}</span>}
          </li>
        ))}
      </ol>
    </>
  )
}
