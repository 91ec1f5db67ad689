import { describeError } from '../../core/devtools/describeError.ts'
import { formatTime } from '../../core/devtools/formatTime.ts'
import type { Failure } from '../../core/devtools/Recording.ts'
import { FactList } from './FactList.tsx'

/** The latest errors, each with its code, its sentence, and where it is explained. */
export function ErrorList({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return <p className="muted">No error since the devtools were opened.</p>
  return (
    <ol className="errors">
      {failures.map(({ id, at, error }) => (
        <li key={id}>
          <h3>{error.message}</h3>
          <time className="muted" dateTime={new Date(at).toISOString()}>
            {formatTime(at)}
          </time>
          <FactList facts={describeError(error)} />
        </li>
      ))}
    </ol>
  )
}
