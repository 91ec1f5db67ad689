import { sql } from '../../db/sql.ts'
import type { Hex } from '../nodes/Chain.ts'

/** Holding that a wallet needs on a chain. Without an id, any NFT of the contract counts. */
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
