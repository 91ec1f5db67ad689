import type { Acl } from '@countersign/protocol'
import type { FieldValue } from './FieldValue.ts'
import type { Register } from './Register.ts'

/** Fields of every user. */
type Own = {
  readonly objectId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly username: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly ACL?: Acl
}

type AnyUser = Own & { readonly [field: string]: FieldValue | undefined }

/**
 * The signed-in user: a frozen snapshot with a new identity whenever, and only when, something in it changed. Where the
 * application registers the fields of `_User`, it has those, by their types.
 */
export type User = Register extends { classes: { _User: infer Fields } }
  ? Own & { readonly [Field in Exclude<keyof Fields, keyof Own>]: Fields[Field] }
  : AnyUser
