import { Link } from 'react-router'
import { formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { LogLine } from './logLines.ts'

const cell = 'py-1.5 pe-6 align-baseline'
const link = 'text-accent hover:underline'

type Props = { line: LogLine; onRequest: (id: string) => void }

/** A line of the log, with ways to its user, function and the other lines of its request. */
export function LogRow({ line, onRequest }: Props) {
  const { at, level, area, message, details, requestId, userId, functionName } = line
  return (
    <tr>
      <td className={`${cell} text-muted md:whitespace-nowrap`}>
        <time dateTime={at}>{formatTime(new Date(at))}</time>
      </td>
      <td className={`${cell} hidden md:table-cell`}>
        {level === 'info' ? level : <Badge tone="warn">{level}</Badge>}
      </td>
      <td className={`${cell} hidden md:table-cell`}>{area}</td>
      <td className={`${cell} min-w-48 font-mono text-xs wrap-anywhere`}>
        {level !== 'info' && (
          <span className="me-2 md:hidden">
            <Badge tone="warn">{level}</Badge>
          </span>
        )}
        <bdi dir="ltr">{message}</bdi>
        {details !== undefined && <Details text={details} />}
        {(userId !== undefined || functionName !== undefined) && (
          <span className="ms-2 inline-flex gap-3 font-sans">
            {userId !== undefined && (
              <Link to={`/admin/users/${encodeURIComponent(userId)}`} className={link}>
                {t('User|person')}
              </Link>
            )}
            {functionName !== undefined && (
              <Link to="/admin/functions?show=functions" className={link}>
                {t('Functions')}
              </Link>
            )}
          </span>
        )}
      </td>
      <td className={`${cell} font-mono text-xs whitespace-nowrap`}>
        {requestId !== undefined && (
          <button
            type="button"
            className={`${link} min-h-11 min-w-11 text-start md:min-h-0`}
            aria-label={t('Show the request {id}', { id: requestId })}
            onClick={() => onRequest(requestId)}
          >
            <bdi dir="ltr">{requestId}</bdi>
          </button>
        )}
      </td>
    </tr>
  )
}

/** Longest text (characters) beside its message: a longer one, such as an error with its stack, is opened. */
const longest = 120

function Details({ text }: { text: string }) {
  if (text.length <= longest)
    return (
      <bdi dir="ltr" className="ms-2 text-muted">
        {text}
      </bdi>
    )
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center font-sans font-semibold text-muted md:min-h-6">
        {t('Details')}
      </summary>
      <pre dir="ltr" className="max-h-80 overflow-auto whitespace-pre-wrap">
        {JSON.stringify(JSON.parse(text), undefined, 2).replaceAll('\\n', '\n')}
      </pre>
    </details>
  )
}
