import { type CountersignError, errorCodes } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { getLiveState } from '../live/subscribe.ts'
import type { Call, Exchange, Recording } from '../state/Recording.ts'
import { requireProvider } from '../wallet/connection/askProvider.ts'
import { describeWaiting } from './describeWaiting.ts'

/** A reading shared by components, or cached for later ones. Values of conditions are left out. */
export type Entry = {
  readonly key: string
  readonly question: string
  readonly status: string
  /** Components that use it; none where it is only kept. */
  readonly components: number
  /** Milliseconds since it was read; absent where it never was. */
  readonly age?: number
  readonly rows?: number
  readonly isBad: boolean
}

/** Age (ms) of data that was never read or is outdated. */
const never = 1e12

/** Active and cached readings, last used first. Looking subscribes to nothing. */
export function listEntries({ internal }: Client): readonly Entry[] {
  const entries = [...internal.readings].map(([key, { reading, watchers }]): Entry => {
    const { status, data, error, isFetching } = reading.peek.get()
    const age = reading.age()
    const rows = countRows(data)
    return {
      key,
      question: JSON.stringify(hideValues(JSON.parse(key))),
      status: `${error ? `error ${error.code}` : status}${isFetching ? ', reading' : ''}`,
      components: watchers,
      isBad: error !== undefined,
      ...(age < never && { age }),
      ...(rows !== undefined && { rows }),
    }
  })
  return entries.reverse()
}

function countRows(data: unknown): number | undefined {
  const { items } = Object(data) as { items?: unknown }
  const rows = Array.isArray(data) ? data : items
  return Array.isArray(rows) ? rows.length : undefined
}

/** Parts of a question that name no person and no secret. */
const plain = new Set(['className', 'chain', 'order', 'limit', 'skip', 'keys', 'include', 'excludeKeys', '_function'])

function hideValues(value: unknown, name = ''): unknown {
  if (plain.has(name) && JSON.stringify(value).length < 200) return value
  if (Array.isArray(value)) return value.length > 0 ? ['…'] : []
  if (typeof value !== 'object' || value === null) return '…'
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideValues(item, key)]))
}

/** The live subscriptions, without the values of their conditions. */
export function listSubscriptions({ internal }: Client): readonly { id: number; query: string; phase: string }[] {
  const subscriptions = internal.live?.list() ?? []
  return subscriptions.map(({ requestId, query, phase }) => ({
    id: requestId,
    query: JSON.stringify(hideValues(query)),
    phase,
  }))
}

export type Facts = readonly (readonly [name: string, text: string])[]

/** Why hooks wait for nothing: nobody initialized the client. */
export function findWarning({ internal }: Client): string | undefined {
  const isWaiting = internal.options.appId !== undefined || internal.readings.size > 0
  if (internal.initialization.get().status !== 'idle' || !isWaiting) return undefined
  return describeWaiting(internal.readings.size)
}

/** State of session, wallet and live connection in words, without secrets. */
export function describeClient(client: Client): {
  readonly session: Facts
  readonly wallet: Facts
  readonly live: Facts
} {
  const { internal } = client
  const session = internal.session.get()
  const user = 'user' in session ? session.user : undefined
  const initialization = internal.initialization.get()
  const { connection } = internal
  const wallet = internal.wallet.get()
  const connector = 'connector' in wallet ? wallet.connector : undefined
  const mismatch = internal.mismatch.get()
  const live = getLiveState(client).get()
  return {
    session: [
      ['State', session.status],
      ['User', user ? `${user.username} (${user.objectId})` : 'nobody'],
      ['Initialization', initialization.status],
      ['Server', connection?.serverUrl ?? 'not known yet'],
      ['Application', connection?.appId ?? 'not known yet'],
      [
        'Session travels',
        connection ? (connection.transport === 'cookie' ? 'in a cookie' : 'in storage') : 'not known yet',
      ],
    ],
    wallet: [
      ['State', internal.startingWallet ? wallet.status : 'not started'],
      ...(connector ? ([['Connector', `${connector.name} (${connector.id}, ${connector.kind})`]] as const) : []),
      ...(wallet.status === 'connected'
        ? ([
            ['Account', wallet.account ?? 'none: it can only read'],
            ['Accounts shared', String(wallet.accounts.length)],
            ['Chain', wallet.chainId === undefined ? 'not known' : String(wallet.chainId)],
            ['Provider', wallet.provider ? 'EIP-1193' : 'none'],
          ] as const)
        : []),
      ['Mismatch', mismatch ? 'yes: the account is not linked to the user' : 'no'],
      [
        'Connectors found',
        internal.connectors
          .get()
          .map(({ name }) => name)
          .join(', ') || 'none',
      ],
    ],
    live: [
      ['State', live.status],
      ['Subscriptions', String(live.subscriptions)],
      ['Failed attempts', String(live.attempts)],
      ...(live.error ? ([['Last error', `${live.error.code}: ${live.error.message}`]] as const) : []),
    ],
  }
}

/** An error for developers: name of its code, sentence, fix, and documentation. */
export function describeError(error: CountersignError): readonly (readonly [name: string, text: string])[] {
  const name = Object.entries(errorCodes).find(([, code]) => code === error.code)?.[0]
  const cause = Object(error.cause) as { code?: unknown; name?: unknown }
  const { rateLimit } = error
  return [
    ['Code', `${error.code}${name ? ` ${name}` : ''}`],
    ['Kind', error.name],
    ['Status', String(error.status)],
    ...(error.details ? ([['Details', error.details]] as const) : []),
    ...(rateLimit
      ? ([
          [
            'Limit',
            Object.entries(rateLimit)
              .map(([key, value]) => `${key} ${value}`)
              .join(', '),
          ],
        ] as const)
      : []),
    ...(typeof cause.code === 'number' ? ([['Wallet’s code', String(cause.code)]] as const) : []),
    ['Explained in', error.docsUrl],
  ]
}

/** The time of day with its milliseconds, as the clock on the wall shows it. */
export function formatTime(at: number): string {
  const date = new Date(at)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Content of the devtools as text, for a bug report. */
export function writeReport(client: Client, { exchanges, transitions, failures, calls }: Recording): string {
  const { session, wallet, live } = describeClient(client)
  const warning = findWarning(client)
  const sections: [title: string, lines: readonly string[]][] = [
    ...(warning ? ([['Warning', [warning]]] as [string, string[]][]) : []),
    ['Session', write(session)],
    [
      'Session history',
      transitions.map(({ at, status, username }) => `${formatTime(at)}  ${status}${username ? ` (${username})` : ''}`),
    ],
    ['Wallet', write(wallet)],
    ['Reads', listEntries(client).map(writeEntry)],
    ['Actions', calls.map(writeCall)],
    ['Live', [...write(live), ...listSubscriptions(client).map(({ query, phase }) => `${query}  ${phase}`)]],
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

/** How many components use a reading, how much it holds and how old it is, in words. */
export function describeEntry({ components, rows, age }: Entry): string {
  const used = components === 0 ? 'kept' : components === 1 ? '1 component' : `${components} components`
  const parts = [used, rows === undefined ? '' : rows === 1 ? '1 row' : `${rows} rows`]
  return [...parts, age === undefined ? '' : `${Math.round(age / 1000)} s ago`]
    .filter((part) => part !== '')
    .join(' · ')
}

function writeEntry(entry: Entry): string {
  return `${entry.question}  ${entry.status}  ${describeEntry(entry)}`
}

function writeCall({ at, name, status, duration, error }: Call): string {
  const outcome = error ? `error ${error.code}` : status
  return [formatTime(at), name, outcome, ...(duration === undefined ? [] : [`${duration} ms`])].join('  ')
}

function writeExchange({ at, method, path, status, duration, requestId, failure }: Exchange): string {
  const outcome = failure ?? (status === undefined ? 'under way' : String(status))
  const parts = [formatTime(at), method, path, outcome, duration === undefined ? '' : `${duration} ms`, requestId ?? '']
  return parts.filter((part) => part !== '').join('  ')
}

/** Permissions of this page in the wallet. Requested only on demand. */
export async function listPermissions(client: Client): Promise<readonly string[]> {
  const answer = await requireProvider(client).request({ method: 'wallet_getPermissions' })
  if (!Array.isArray(answer)) return []
  return answer.map((permission) => {
    const { parentCapability, caveats } = Object(permission) as { parentCapability?: unknown; caveats?: unknown }
    const values = Array.isArray(caveats) ? caveats.flatMap(({ value }) => value as unknown).map(String) : []
    return `${String(parentCapability)}${values.length > 0 ? `: ${values.join(', ')}` : ''}`
  })
}
