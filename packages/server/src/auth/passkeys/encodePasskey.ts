import type { PasskeyRecord } from '@countersign/protocol'

export type PasskeyRow = {
  objectId: string
  user: string
  credential: string
  user_handle: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  name: string
  created: Date
  last_used: Date | null
}

/** A passkey as its owner sees it. */
export function encodePasskey(row: PasskeyRow): PasskeyRecord {
  return {
    objectId: row.objectId,
    name: row.name,
    createdAt: row.created.toISOString(),
    ...(row.last_used && { lastUsedAt: row.last_used.toISOString() }),
    backedUp: row.backed_up,
  }
}
