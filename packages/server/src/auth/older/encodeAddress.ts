import type { WireFields } from '@countersign/protocol'
import type { WalletRow } from '../encodeWallet.ts'

/** A wallet as a row of the older clients' class of addresses: the address is its id. */
export function encodeAddress(row: WalletRow): WireFields {
  return {
    objectId: row.address,
    createdAt: row.linked.toISOString(),
    updatedAt: row.last_used.toISOString(),
    user: { __type: 'Pointer', className: '_User', objectId: row.user },
    ACL: { [row.user]: { read: true, write: true } },
  }
}
