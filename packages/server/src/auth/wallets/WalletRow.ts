import type { WalletRecord } from '@countersign/protocol'

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
  /** Since when its proof is known to hold no longer. */
  lapsed: Date | null
  provisional: boolean
  imported: Date | null
  proof: Buffer | null
}
