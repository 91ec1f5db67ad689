import type { Client } from '../Client.ts'
import { describeClient, type Facts } from './describeClient.ts'
import { describeError } from './describeError.ts'
import { formatTime } from './formatTime.ts'
import type { Exchange, Recording } from './Recording.ts'

/** Everything that the devtools show, as text for a bug report. */
export function writeReport(client: Client, { exchanges, transitions, failures }: Recording): string {
  const { session, wallet, live } = describeClient(client)
  const sections: [title: string, lines: readonly string[]][] = [
    ['Session', write(session)],
    [
      'Session history',
      transitions.map(({ at, status, username }) => `${formatTime(at)}  ${status}${username ? ` (${username})` : ''}`),
    ],
    ['Wallet', write(wallet)],
    ['Live', write(live)],
    ['Requests', exchanges.map(writeExchange)],
    [
      'Errors',
      failures.flatMap(({ at, error }) => [
        `${formatTime(at)}  ${error.message}`,
        ...write(describeError(error)).map((line) => `  ${line}`),
      ]),
    ],
  ]
  const head = `Countersign, ${new Date().toISOString()}\n${globalThis.navigator?.userAgent ?? ''}`
  const body = sections.map(
    ([title, lines]) => `${title}\n${(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`).join('\n')}`,
  )
  return `${[head, ...body].join('\n\n')}\n`
}

function write(facts: Facts): string[] {
  return facts.map(([name, text]) => `${name}: ${text}`)
}

function writeExchange({ at, method, path, status, duration, requestId, failure }: Exchange): string {
  const outcome = failure ?? (status === undefined ? 'under way' : String(status))
  const parts = [formatTime(at), method, path, outcome, duration === undefined ? '' : `${duration} ms`, requestId ?? '']
  return parts.filter((part) => part !== '').join('  ')
}
