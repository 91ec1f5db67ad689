import type { WireOperation } from '@countersign/protocol'
import type { Changes } from './documents/Changes.ts'
import type { Register } from './documents/Register.ts'
import type { FieldValue } from './User.ts'

type Own = { readonly username?: string; readonly password?: string; readonly email?: string }

/**
 * What `saveUser` takes: new values (`null` is stored, `undefined` is left alone) or update operations. Where the
 * application tells of the fields of `_User`, only those, by their types.
 */
export type UserChanges = Register extends { classes: { _User: object } }
  ? Own & Omit<Changes<'_User'>, keyof Own>
  : AnyUserChanges

export type AnyUserChanges = Own & { readonly [field: string]: FieldValue | WireOperation | undefined }
