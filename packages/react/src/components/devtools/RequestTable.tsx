'use client'

import { formatTime } from '../../core/devtools/describeClient.ts'
import type { Exchange } from '../../core/state/Recording.ts'

type Props = { exchanges: readonly Exchange[]; onClear: () => void }

/** The latest requests, without their content. */
export function RequestTable({ exchanges, onClear }: Props) {
  if (exchanges.length === 0) return <p className="muted">No request since the devtools were opened.</p>
  return (
    <>
      <ul className="requests">
        {exchanges.map(({ id, at, method, path, status, duration, requestId, failure }) => (
          <li key={id}>
            <span className="method">{method}</span>
            <span className="path">{path}</span>
            <span className="status" data-bad={failure !== undefined || (status ?? 0) >= 400 || undefined}>
              {failure ?? status ?? '…'}
            </span>
            <span className="muted meta">
              {formatTime(at)}
              {duration !== undefined && ` · ${duration} ms`}
              {requestId && ` · ${requestId}`}
            </span>
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={onClear}>
        Clear
      </button>
    </>
  )
}
