import type { ProviderRecord, SignInOptions } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { storageOf } from '../platform/storage.ts'
import { storedKey } from '../session/currentSession.ts'
import type { Connector } from '../state/Connector.ts'

/** A row of the sheet: one click on it picks and starts. */
export type SignInOption = {
  /** The connector's id, `passkey`, `password`, `emailCode`, or `provider:` with the name of one. */
  readonly id: string
  readonly kind: 'wallet' | 'phone' | 'demo' | 'passkey' | 'password' | 'provider' | 'emailCode'
  readonly connector?: Connector
  readonly provider?: ProviderRecord
  /** This way worked last in this browser. */
  readonly last: boolean
  /** The name that the wallet claims by reverse domain, shown where two rows bear the same name. */
  readonly rdns?: string
}

export type SignInRowsInput = {
  readonly connectors: readonly Connector[]
  readonly last?: string | undefined
  readonly passkey: boolean
  readonly password: boolean
  readonly emailCode?: boolean
  readonly providers?: readonly ProviderRecord[]
  /** The methods in the order of the server, and those that are off left out; unless given, in ours. */
  readonly methods?: SignInOptions['methods'] | undefined
}

const order: SignInOptions['methods'] = ['wallet', 'passkey', 'provider', 'emailCode', 'password']

/**
 * The sign-in methods: the last used first, then wallets that were found, the phone, passkey, providers, code by email,
 * password, and the demo wallet at the end. The server may have another order.
 */
export function listSignInOptions({
  connectors,
  last,
  passkey,
  password,
  emailCode = false,
  providers = [],
  methods = order,
}: SignInRowsInput): readonly SignInOption[] {
  const names = new Map<string, number>()
  for (const { name } of connectors) names.set(nameKey(name), (names.get(nameKey(name)) ?? 0) + 1)
  const wallets = connectors
    // A read-only connection cannot sign.
    .filter(({ kind }) => kind !== 'network')
    .map((connector): SignInOption => {
      const isDouble = (names.get(nameKey(connector.name)) ?? 0) > 1
      const rdns = isDouble ? (connector.rdns ?? connector.id) : undefined
      return { id: connector.id, kind: kindOf(connector), connector, last: connector.id === last, rdns }
    })
  const rows: SignInOption[] = [...wallets]
  if (passkey) rows.push({ id: 'passkey', kind: 'passkey', last: last === 'passkey' })
  if (password) rows.push({ id: 'password', kind: 'password', last: last === 'password' })
  if (emailCode) rows.push({ id: 'emailCode', kind: 'emailCode', last: last === 'emailCode' })
  for (const provider of providers) {
    const id = `provider:${provider.name}`
    rows.push({ id, kind: 'provider', provider, last: last === id })
  }
  const isOn = ({ kind }: SignInOption) => methods.includes(methodOf(kind))
  const rank = ({ kind, last }: SignInOption) =>
    last ? -1 : kind === 'demo' ? 100 : methods.indexOf(methodOf(kind)) + (kind === 'phone' ? 0.5 : 0)
  return rows.filter(isOn).sort((a, b) => rank(a) - rank(b))
}

function methodOf(kind: SignInOption['kind']): SignInOptions['methods'][number] {
  return kind === 'phone' || kind === 'demo' ? 'wallet' : kind
}

function kindOf({ kind }: Connector): SignInOption['kind'] {
  if (kind === 'walletconnect') return 'phone'
  return kind === 'demo' ? 'demo' : 'wallet'
}

/** Names that look the same are the same: the copy of a wallet relies on letters that look alike. */
function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

/**
 * The sign-in method that worked last in this browser: a connector's id, `passkey`, `password`, `emailCode`, or
 * `provider:` with the name of one.
 *
 * @example
 * const isFirst = findLastMethod(client) === 'passkey'
 */
export function findLastMethod(client: Client): string | undefined {
  return storageOf(client).getItem(keyOf(client)) ?? undefined
}

/**
 * Makes the sheet offer a method first the next time. The sheet does so for its own sign-ins; your own page has to call
 * it.
 *
 * @example
 * rememberLastMethod(client, 'passkey')
 */
export function rememberLastMethod(client: Client, way: string): void {
  storageOf(client).setItem(keyOf(client), way)
}

function keyOf({ internal }: Client): string {
  return storedKey(internal.connection?.appId ?? internal.options.appId ?? '', 'signInMethod')
}
