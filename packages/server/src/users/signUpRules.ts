import { type InvitationRecord, refuse, type SignInOptions } from '@countersign/protocol'
import { newObjectId } from '../classes/names.ts'
import type { SignInMethod } from '../config/signUpSettings.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { hashToken, newToken } from '../keys/secrets.ts'
import { readEmail } from './email/readEmail.ts'
import { nameKey } from './usernames.ts'

const day = 24 * 3600_000

/** Refuses a sign-in method that the operator has switched off. */
export function requireMethod(context: Context, method: SignInMethod): void {
  if (!hasMethod(context, method)) throw refuse('signInMethodOff', { method })
}

export function hasMethod({ config }: Pick<Context, 'config'>, method: SignInMethod): boolean {
  return config.signIn.methods.includes(method) && (method !== 'emailCode' || config.emailCode.enabled)
}

/** Facts that a page needs to offer sign-in methods. */
export function getSignInOptions(context: Context): Omit<SignInOptions, 'providers'> {
  const { signIn, signUp, emailCode, passwordPolicy } = context.config
  return {
    methods: signIn.methods.filter((method) => hasMethod(context, method)),
    ...(hasMethod(context, 'emailCode') && { emailCode: { signUp: emailCode.signUp } }),
    ...(hasMethod(context, 'password') && { password: { minLength: passwordPolicy.minLength } }),
    signUp: {
      mode: signUp.mode,
      ...(signUp.emailDomains.length > 0 && { emailDomains: signUp.emailDomains }),
    },
  }
}

/** Returns true if a mail to an unknown address could lead to an account; the invitation is checked later. */
export function mayAddressSignUp({ config }: Context, caller: Caller, key: string): boolean {
  const { mode, emailDomains } = config.signUp
  if (mode === 'closed' || (mode === 'invitation' && caller.invitation === undefined)) return false
  return emailDomains.length === 0 || emailDomains.includes(hostOf(key))
}

const hostOf = (key: string) => key.slice(key.lastIndexOf('@') + 1)

/**
 * Makes an account where the operator's rules allow it. An invitation is used up in the same transaction, so that it
 * makes one account, and none where the making fails.
 */
export async function underSignUpRules<Made>(
  context: Context,
  caller: Caller,
  email: string | null,
  make: () => Promise<Made>,
  idOf: (made: Made) => string,
): Promise<Made> {
  const { mode, emailDomains } = context.config.signUp
  if (caller.isMaster || (mode === 'open' && emailDomains.length === 0 && caller.invitation === undefined))
    return make()
  if (mode === 'closed') throw refuse('signUpClosed')
  const key = email === null ? null : nameKey(email)
  if (emailDomains.length > 0 && (key === null || !emailDomains.includes(hostOf(key))))
    throw refuse('emailDomainNotAllowed')
  const { invitation } = caller
  if (invitation === undefined) {
    if (mode === 'invitation') throw refuse('invitationRequired')
    return make()
  }
  return context.db.transaction(async () => {
    const { id, role } = await useInvitation(context, invitation, key)
    const made = await make()
    const userId = idOf(made)
    await context.db.query(sql`update countersign.invitations set used_by = ${userId} where id = ${id}`)
    if (role !== null) await addToRole(context, role, userId)
    return made
  })
}

/** One statement finds the invitation and uses it up: of two accounts at once, one is made by it. */
async function useInvitation(
  { db, clock }: Context,
  token: string,
  key: string | null,
): Promise<{ id: string; role: string | null }> {
  const now = sql.param(clock.now())
  const [row] = await db.query<{ id: string; role: string | null }>(sql`
    update countersign.invitations set used = ${now}
    where hash = ${hashInvitation(token)} and used is null and expires > ${now}
      and (email_key is null or email_key = ${key})
    returning id, role`)
  if (!row) throw refuse('invitationInvalid')
  return row
}

async function addToRole({ db, roleCache }: Context, role: string, userId: string): Promise<void> {
  await db.query(sql`
    insert into public."_Join:users:_Role" ("owningId", "relatedId")
    select "objectId", ${userId} from public."_Role" where name = ${role}
    on conflict do nothing`)
  db.reportChange('_Role')
  db.afterCommit(() => roleCache.forgetAll())
}

const hashInvitation = (token: string) => hashToken(`invitation ${token}`)

type InvitationRow = {
  id: string
  email: string | null
  role: string | null
  note: string | null
  created: Date
  expires: Date
  used: Date | null
  used_by: string | null
}

/** The link is returned once; only a hash of its secret is stored. */
async function createInvitation(
  context: Context,
  input: { email?: string | null; role?: string | null; note?: string | null; days?: number | null },
): Promise<InvitationRecord & { token: string; url: string }> {
  const { db, clock, config, webUrl } = context
  const email = typeof input.email === 'string' ? readEmail(input.email.trim()) : null
  const role = input.role ?? null
  if (role !== null) {
    const found = await db.query(sql`select from public."_Role" where name = ${role}`)
    if (found.length === 0) throw refuse('objectNotFound')
  }
  const token = newToken()
  const now = clock.now()
  const row = {
    id: newObjectId(),
    email,
    role,
    note: input.note ?? null,
    created: now,
    expires: new Date(now.getTime() + (input.days ?? config.signUp.invitationDays) * day),
    used: null,
    used_by: null,
  }
  await db.query(sql`
    insert into countersign.invitations (id, hash, email, email_key, role, note, created, expires)
    values (${row.id}, ${hashInvitation(token)}, ${email}, ${email && nameKey(email)}, ${role}, ${row.note},
      ${row.created}, ${row.expires})`)
  return { ...encode(row), token, url: `${webUrl}/sign-up?invitation=${token}` }
}

/** The newest first. */
async function listInvitations({ db }: Context): Promise<{ results: InvitationRecord[] }> {
  const rows = await db.query<InvitationRow>(sql`
    select id, email, role, note, created, expires, used, used_by
    from countersign.invitations
    order by created desc, id
    limit 1000`)
  return { results: rows.map(encode) }
}

/** Accounts created by the invitation stay. */
async function deleteInvitation({ db }: Context, id: string): Promise<Record<never, never>> {
  const gone = await db.query(sql`delete from countersign.invitations where id = ${id} returning 1`)
  if (gone.length === 0) throw refuse('objectNotFound')
  return {}
}

function encode(row: InvitationRow): InvitationRecord {
  return {
    objectId: row.id,
    createdAt: row.created.toISOString(),
    expiresAt: row.expires.toISOString(),
    ...(row.email !== null && { email: row.email }),
    ...(row.role !== null && { role: row.role }),
    ...(row.note !== null && { note: row.note }),
    ...(row.used && { usedAt: row.used.toISOString() }),
    ...(row.used_by !== null && { usedBy: row.used_by }),
  }
}

export const listInvitationsEndpoint = defineEndpoint('listInvitations', {
  handle: ({ context }) => listInvitations(context),
})

export const createInvitationEndpoint = defineEndpoint('createInvitation', {
  handle: ({ context, input }) => createInvitation(context, input),
})

export const deleteInvitationEndpoint = defineEndpoint('deleteInvitation', {
  handle: ({ context, params }) => deleteInvitation(context, params.objectId),
})
