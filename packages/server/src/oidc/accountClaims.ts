import type { AccountClaims } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { findRoles } from '../roles/accessOf.ts'
import { isLockedSql } from '../users/UserRow.ts'

type ClaimRow = {
  username: string
  email: string | null
  emailVerified: boolean | null
  name: string | null
  updatedAt: Date
  isGuest: boolean
}

/** Claims by scope. `wallets` are identifiers of CAIP-10 with the time at which the user proved them. */
export const claimsByScope = {
  openid: ['sub', 'auth_time', 'acr', 'amr'],
  profile: ['name', 'preferred_username', 'updated_at'],
  email: ['email', 'email_verified'],
  roles: ['roles'],
  wallets: ['wallets'],
} as const

/** Returns true while the account may sign in: it exists, and is neither disabled nor about to be deleted. */
export async function isOpenAccount({ db }: Context, userId: string): Promise<boolean> {
  const found = await db.query(sql`
    select 1 as one from "_User" u where u."objectId" = ${userId} and not ${isLockedSql}
      and not exists (select from countersign.deletions d where d."user" = u."objectId")`)
  return found.length > 0
}

/** Claims about a user. The provider keeps those of granted scopes. */
export async function readClaims(context: Context, userId: string, scope: string): Promise<AccountClaims> {
  const { db } = context
  const scopes = new Set(scope.split(' '))
  const [user] = await db.query<ClaimRow>(sql`
    select username, email, "emailVerified", to_jsonb(u.*) ->> 'name' as name, "updatedAt",
      "_anonymous" is not null as "isGuest"
    from "_User" u where "objectId" = ${userId}`)
  if (!user) return { sub: userId }
  const roles = scopes.has('roles') ? await findRoles(context, userId) : undefined
  const wallets = scopes.has('wallets') ? await listWallets(context, userId) : undefined
  return {
    sub: userId,
    preferred_username: user.username,
    name: user.name ?? user.username,
    updated_at: Math.floor(user.updatedAt.getTime() / 1000),
    ...(user.email !== null && { email: user.email, email_verified: user.emailVerified === true }),
    ...(roles && { roles }),
    ...(wallets && { wallets }),
  }
}

/** CAIP-2 names of the chains of wallets that belong to no single chain. */
const mainChains: Record<string, string> = { eip155: '1', solana: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }

type WalletRow = { namespace: string; chain_id: string | null; address: string; linked: Date }

async function listWallets({ db }: Context, userId: string): Promise<{ account: string; provenAt: string }[]> {
  const rows = await db.query<WalletRow>(sql`
    select namespace, chain_id, address, linked from countersign.wallets
    where "user" = ${userId} and not provisional
    order by linked, key
    limit 100`)
  return rows.map(({ namespace, chain_id, address, linked }) => ({
    account: `${namespace}:${chain_id ?? mainChains[namespace]}:${address}`,
    provenAt: linked.toISOString(),
  }))
}
