import type { CreatedWith } from '@countersign/protocol'

/** One place where the user is signed in, for the list of sessions and devices. */
export type Session = {
  readonly objectId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt?: Date
  readonly lastUsedAt?: Date
  readonly createdWith?: CreatedWith
  readonly installationId?: string
  /** The session that this client itself uses. */
  readonly current: boolean
  readonly userAgent?: string
  readonly ipAddress?: string
  /** What a wallet signed to open it, for anyone to verify. */
  readonly proof?: { readonly message: string; readonly signature: string }
}
