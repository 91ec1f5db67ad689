import type { Acl } from '@countersign/protocol'

/** A field's value as the application sees it: what JSON can say, and `Date`. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue | undefined }

/** The signed-in user: a frozen snapshot with a new identity whenever, and only when, something in it changed. */
export type User = {
  readonly [field: string]: FieldValue | undefined
  readonly objectId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly username: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly ACL?: Acl
}
