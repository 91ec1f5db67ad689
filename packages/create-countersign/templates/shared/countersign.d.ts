// Written by `countersign types`. Do not edit; run it again after the schema has changed.
import type * as _countersign from '@countersign/react'

export interface MessageFields {
  author: _countersign.Pointer<'_User'>
  name?: string
  text: string
}

export interface _RoleFields {
  name: string
  roles: _countersign.Relation<'_Role'>
  users: _countersign.Relation<'_User'>
}

export interface _SessionFields {
  createdWith: Record<string, unknown>
  expiresAt: Date
  installationId?: string
  ipAddress?: string
  lastUsedAt?: Date
  user: _countersign.Pointer<'_User'>
  userAgent?: string
}

export interface _UserFields {
  accounts?: unknown[]
  email?: string
  emailVerified?: boolean
  ethAddress?: string
  solAccounts?: unknown[]
  solAddress?: string
  username: string
}

declare module '@countersign/react' {
  interface Register {
    classes: {
      Message: MessageFields
      _Role: _RoleFields
      _Session: _SessionFields
      _User: _UserFields
    }
    functions: {
      countMessages: {
        input: { readonly [name: string]: unknown }
        output: { readonly all: number; readonly own: number }
      }
    }
  }
}
