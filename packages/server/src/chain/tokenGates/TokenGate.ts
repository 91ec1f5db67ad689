import { sql } from '../../db/sql.ts'
import type { Hex } from '../nodes/Chain.ts'

/** What a wallet must hold on a chain. Without an id, any NFT of the contract counts. */
export type TokenGate = {
  objectId: string
  /** The id of the role. */
  role: string
  chain: number
  kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
  token: Hex | null
  id: bigint | null
  amount: bigint
}

export type TokenGateRow = Omit<TokenGate, 'id' | 'amount'> & { id: string | null; amount: string }

export const tokenGateColumns = sql`
  g."objectId", g.role, g.chain, g.kind, g.token, g.id::text as id, g.amount::text as amount`

export const readTokenGate = ({ id, amount, ...row }: TokenGateRow): TokenGate => ({
  ...row,
  id: id === null ? null : BigInt(id),
  amount: BigInt(amount),
})

export type Wallet = {
  key: string
  user: string
  address: Hex
  /** A contract, or a key pair that another key acts for: its proof holds as long as its code does. */
  hasCode: boolean
  /** Of the code that it was last proven by. */
  codeHash: string | null
  /** Signature of its last holder, sealed. */
  proof: Buffer | null
}

/**
 * Wallets that a chain's gates look at: a contract account is its user's own on its own chain alone, and one that was not
 * deployed when it was proven has no code that it was proven by. One that an import brought counts once it is proven here.
 */
export const walletsOfChain = (chain: number) => sql`
  select key, "user", address, kind <> 'eoa' as "hasCode",
    case when not provisional then code_hash end as "codeHash", proof
  from countersign.wallets
  where namespace = 'eip155' and imported is null and (chain_id is null or chain_id = ${String(chain)})`
