import type { WireFields } from '@countersign/protocol'

export type StoreName = 'disk' | 'database' | 's3'

/** A file that is there, as its row tells. */
export type StoredFile = {
  name: string
  type: string
  size: number
  /** SHA-256 of the content, in hexadecimal. */
  digest: string
  metadata: WireFields
  tags: WireFields
  store: StoreName
}
