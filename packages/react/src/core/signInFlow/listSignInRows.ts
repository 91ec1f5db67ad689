import type { Connector } from '../wallet/Connector.ts'

/** A row of the sheet: one click on it picks and starts. */
export type SignInRow = {
  /** The connector's id, `passkey` or `password`. */
  readonly id: string
  readonly kind: 'wallet' | 'phone' | 'demo' | 'passkey' | 'password'
  readonly connector?: Connector
  /** This way worked last in this browser. */
  readonly last: boolean
  /** The name that the wallet claims by reverse domain, shown where two rows bear the same name (S24). */
  readonly rdns?: string
}

export type SignInRowsInput = {
  readonly connectors: readonly Connector[]
  readonly last?: string | undefined
  readonly passkey: boolean
  readonly password: boolean
}

const order: readonly SignInRow['kind'][] = ['wallet', 'phone', 'passkey', 'password', 'demo']

/** The ways in: the last used first, then wallets that were found, the phone, passkey, password, the demo wallet. */
export function listSignInRows({ connectors, last, passkey, password }: SignInRowsInput): readonly SignInRow[] {
  const names = new Map<string, number>()
  for (const { name } of connectors) names.set(nameKey(name), (names.get(nameKey(name)) ?? 0) + 1)
  const wallets = connectors
    // A read-only connection cannot sign.
    .filter(({ kind }) => kind !== 'network')
    .map((connector): SignInRow => {
      const isDouble = (names.get(nameKey(connector.name)) ?? 0) > 1
      const rdns = isDouble ? (connector.rdns ?? connector.id) : undefined
      return { id: connector.id, kind: kindOf(connector), connector, last: connector.id === last, rdns }
    })
  const rows: SignInRow[] = [...wallets]
  if (passkey) rows.push({ id: 'passkey', kind: 'passkey', last: last === 'passkey' })
  if (password) rows.push({ id: 'password', kind: 'password', last: last === 'password' })
  return rows.sort((a, b) => rank(a) - rank(b))
}

function rank({ kind, last }: SignInRow): number {
  return last ? -1 : order.indexOf(kind)
}

function kindOf({ kind }: Connector): SignInRow['kind'] {
  if (kind === 'walletconnect') return 'phone'
  return kind === 'demo' ? 'demo' : 'wallet'
}

/** Names that look the same are the same: the copy of a wallet counts on letters that nobody tells apart. */
function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}
