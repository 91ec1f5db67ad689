import type { Client } from '../Client.ts'
import { getLiveState } from '../live/getLiveState.ts'

export type Facts = readonly (readonly [name: string, text: string])[]

/** What is known now of session, wallet and live connection, in words. Nothing that opens anything is among it. */
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
