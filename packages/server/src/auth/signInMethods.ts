import { refuse, type SignInMethods } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { signsInByCode } from '../users/email/emailChanges.ts'
import { makeSensitiveChange, type SensitiveChange } from '../users/sensitiveChanges.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import { getSignInOptions, hasMethod } from '../users/signUpRules.ts'
import { encodePasskey, findPasskeys } from './passkeys/passkeys.ts'
import { encodeIdentity, findIdentities, identitySignsIn } from './providers/identities.ts'
import { listProviders } from './providers/providerSignIn.ts'
import type { WalletRow } from './wallets/WalletRow.ts'
import { encodeWallet } from './wallets/wallets.ts'

/** Every sign-in method of the caller's account. */
async function listSignInMethods(context: Context, caller: Caller): Promise<SignInMethods> {
  return listSignInMethodsOf(context, requireSession(caller).userId)
}

/** The same of any account, for code that has checked whose it is. */
export async function listSignInMethodsOf(context: Context, userId: string): Promise<SignInMethods> {
  const { db, config } = context
  const [[user], wallets, passkeys, identities, uses] = await Promise.all([
    db.query<{ password: boolean; emailCode: boolean; anonymous: boolean }>(sql`
      select "_password_hash" is not null as password, ${signsInByCode(config)} as "emailCode",
        "_anonymous" is not null as anonymous
      from "_User" u
      where "objectId" = ${userId}`),
    db.query<WalletRow>(
      sql`select * from countersign.wallets where "user" = ${userId} order by is_primary desc, linked, key`,
    ),
    findPasskeys(context, userId),
    findIdentities(context, userId),
    findLastUses(context, userId),
  ])
  const lastUses = uses.filter(({ method }) => user?.[method])
  return {
    password: user?.password ?? false,
    wallets: wallets.map(encodeWallet),
    passkeys: passkeys.map(encodePasskey),
    ...(identities.length > 0 && { identities: identities.map((row) => encodeIdentity(context, row)) }),
    ...(user?.emailCode && { emailCode: true as const }),
    ...(user?.anonymous && { anonymous: true as const }),
    ...(lastUses.length > 0 && { lastUses }),
  }
}

/** Methods without a row of their own: the account's activity has when they were last used. */
async function findLastUses({ db }: Context, userId: string): Promise<NonNullable<SignInMethods['lastUses']>> {
  const rows = await db.query<{ method: 'password' | 'emailCode' | 'anonymous'; at: Date }>(sql`
    select details ->> 'authProvider' as method, max(at) as at
    from countersign.activity
    where "user" = ${userId} and action = 'signIn'
      and details ->> 'authProvider' in ('password', 'emailCode', 'anonymous')
    group by 1
    order by 1`)
  return rows.map(({ method, at }) => ({ method, lastUsedAt: at.toISOString() }))
}

/**
 * Runs a removal as a sensitive change, and rolls it back if no sign-in method would be left. The user's row is locked,
 * so that two concurrent removals cannot each count on the other's method.
 */
export function requireRemainingMethod<Result>(
  context: Context,
  caller: Caller,
  change: SensitiveChange,
  userId: string,
  remove: () => Promise<Result>,
  options: { isProven?: boolean } = {},
): Promise<Result> {
  return makeSensitiveChange(
    context,
    caller,
    change,
    userId,
    async () => {
      const result = await remove()
      if (await canSignIn(context, userId)) return result
      throw refuse('lastSignInMethod')
    },
    options,
  )
}

/** Returns true if an account has a sign-in method that is on. */
export async function canSignIn(context: Context, userId: string): Promise<boolean> {
  const found = await context.db.query(sql`
    select from "_User" u where u."objectId" = ${userId} and (
      (${hasMethod(context, 'password')}::boolean and u."_password_hash" is not null)
      or (${hasMethod(context, 'wallet')}::boolean
        and exists (select from countersign.wallets where "user" = ${userId}))
      or (${hasMethod(context, 'passkey')}::boolean
        and exists (select from countersign.passkeys where "user" = ${userId}))
      or (${hasMethod(context, 'provider')}::boolean and ${identitySignsIn(context, userId)})
      or ${signsInByCode(context.config)}
    )`)
  return found.length > 0
}

export const listSignInMethodsEndpoint = defineEndpoint('listSignInMethods', {
  handle: ({ context, caller }) => listSignInMethods(context, caller),
})

export const getSignInOptionsEndpoint = defineEndpoint('getSignInOptions', {
  handle: async ({ context }) => ({ ...getSignInOptions(context), providers: listProviders(context).results }),
})
