import type { WalletRecord } from '@countersign/protocol'
import { checksumAddress } from './evmAddress.ts'

export type WalletRow = {
  objectId: string
  user: string
  namespace: 'eip155' | 'solana'
  kind: WalletRecord['kind']
  chain_id: string | null
  address: string
  label: string | null
  is_primary: boolean
  linked: Date
  last_used: Date
  code_hash: string | null
  provisional: boolean
  proof: Buffer | null
}

/** A wallet as its owner sees it. */
export function encodeWallet(row: WalletRow): WalletRecord {
  return {
    objectId: row.objectId,
    namespace: row.namespace,
    kind: row.kind,
    address: row.namespace === 'eip155' ? checksumAddress(row.address) : row.address,
    ...(row.chain_id !== null && { chainId: row.chain_id }),
    ...(row.label !== null && { label: row.label }),
    ...(row.provisional && { provisional: true as const }),
    primary: row.is_primary,
    linkedAt: row.linked.toISOString(),
    lastUsedAt: row.last_used.toISOString(),
  }
}
