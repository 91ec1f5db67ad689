import { CountersignError, type MergePreview, refuse } from '@countersign/protocol'
import { type ClassSchema, tableOf } from '../../classes/ClassSchema.ts'
import { joinTableName, newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { encrypt } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { isOperator } from '../../users/operators.ts'
import { derivedFields } from '../../users/readUserFields.ts'
import { asksForMore, findSecondFactor, isSecondFactorRequired } from '../../users/secondFactor.ts'
import { makeSensitiveChange, requireFreshProof, sensitiveChanges } from '../../users/sensitiveChanges.ts'
import { checkDemands } from '../../users/sessions/admit.ts'
import { findSession } from '../../users/sessions/findSession.ts'
import { endSessions, requireSession } from '../../users/sessions/sessions.ts'
import { findUser, isLocked, type UserRow } from '../../users/UserRow.ts'
import { accountKey } from '../Account.ts'
import { listSignInMethodsOf } from '../signInMethods.ts'
import { type ProofInput, verifyWalletProof } from '../wallets/verifyWalletProof.ts'
import { choosePrimary, refreshAddresses } from '../wallets/wallets.ts'
import { draftMergeUndo, keepMergeUndo, mailMergeUndo } from './mergeLinks.ts'
import { type FieldMove, moveSpread, pointerIn, replacePointer, writeMove } from './moveFields.ts'

/** Data that an undo needs: the other account's row as the database writes it, and everything that moved. */
export type MergeUndo = { row: string; wallets: string[]; primary: string[]; passkeys: string[]; fields: string[] } & {
  /** Identities that moved, and whole rows of those that went with the account. Earlier merges have none. */
  identities?: { provider: string; id: string }[]
  additional?: string[]
  /** Rows of further tables that went with the account. */
  rows?: { table: KeptTable; row: string }[]
  /** Former link times of moved sign-in methods, by id. */
  times?: Record<string, string>
  /** Start of the period whose additions end if the owner undoes the merge by the mailed link. */
  reaches?: string
}

/** Tables that protect an account or undo a change of it. They do not move in a merge, and return with an undo. */
export const keptTables = [
  'second_factors',
  'recovery_codes',
  'account_settings',
  'email_changes',
  'unlinked_wallets',
  'removed_passkeys',
  'unlinked_identities',
  'added_methods',
  'removed_factors',
  'replaced_passwords',
] as const

type KeptTable = (typeof keptTables)[number]

/**
 * Carries out a merge that was previewed: everything of the other account moves into the caller's, in one
 * transaction, and the other account is gone. Both proofs must be no older than five minutes.
 */
async function merge(context: Context, caller: Caller, objectId: string): Promise<{ undoUntil: string }> {
  const { userId: intoId } = requireSession(caller)
  await requireFreshProof(context, caller, 'merge', intoId)
  const { db, clock, classes, keys, config } = context
  // Another server may have added fields: they must be known to be copied.
  await classes.refresh()
  const [planned] = await db.query<{ from: string }>(
    sql`select "from" from countersign.merges where "objectId" = ${objectId} and "into" = ${intoId}`,
  )
  if (!planned) throw refuse('mergeNotFound')
  // Both are locked: of two concurrent merges of one account, the second sees the first's result.
  const held = { users: [planned.from] }
  return makeSensitiveChange(context, caller, 'merge', intoId, () => carryOut(planned.from), held)

  async function carryOut(fromId: string): Promise<{ undoUntil: string }> {
    const now = clock.now()
    const undoUntil = new Date(now.getTime() + config.emailUndoDuration * 1000)
    const from = await findUser(context, fromId)
    const into = await findUser(context, intoId)
    // The proof of the other account must still belong to that account.
    const [begun] = await db.query<{ wallet: string | null; session: string | null }>(sql`
      update countersign.merges m set merged = ${now}, undo_until = ${undoUntil}
      where m."objectId" = ${objectId} and m.merged is null and m.expires > ${now}
        and (exists (select from countersign.wallets where key = m.wallet and "user" = m."from")
          or exists (select from "_Session" s
            where s."objectId" = m.session and s."user" = m."from" and s."expiresAt" >= ${now}))
      returning m.wallet, m.session`)
    if (!begun || !from || !into) throw refuse('mergeExpired')
    refuseLocked(from)
    await refuseOperator(context, from.objectId)
    await refuseHalfProven(context, from.objectId, begun.wallet !== null)
    const isGuarded = await keepFactor(context, from.objectId, intoId)

    await transferObjects(context, { objectId, from: from.objectId, into: intoId })
    const offer = await draftMergeUndo(context, from, begun.session)
    const undo = { ...(await move(context, from, into, now)), reaches: offer.reaches }
    await db.query(sql`
      update countersign.merges set undo = ${encrypt(keys, 'merge undo', JSON.stringify(undo))}
      where "objectId" = ${objectId}`)
    await keepMergeUndo(context, { objectId, from: from.objectId, until: undoUntil, wallets: undo.wallets }, offer)
    await changeHolder(context, from.objectId, 'merge, account that goes')
    // They may be older than this account's factor, and would read data guarded by it.
    if (isGuarded) await endSessions(context, intoId, requireSession(caller).objectId)
    await db.query(sql`delete from "_User" where "objectId" = ${from.objectId}`)
    db.reportChange('_User')
    db.afterCommit(() => context.sessionCache.forgetUser(from.objectId))
    await choosePrimary(context, intoId)
    await refreshAddresses(context, intoId)

    const moved = {
      merge: objectId,
      undoUntil: undoUntil.toISOString(),
      wallets: undo.wallets.length,
      passkeys: undo.passkeys.length,
      identities: undo.identities?.length ?? 0,
    }
    await recordActivity(context, caller, intoId, 'merge', { ...moved, from: from.objectId, username: from.username })
    await recordActivity(context, caller, from.objectId, 'mergedInto', {
      ...moved,
      into: intoId,
      username: into.username,
    })
    const until = undoUntil.toISOString()
    notifyOwner(context, into.objectId, (say) => say('mergedInto', { from: from.username, into: into.username, until }))
    mailMergeUndo(context, from, into, undoUntil, offer)
    return { undoUntil: undoUntil.toISOString() }
  }
}

/** Moves everything to the new account, linked as of now: an undo of an email change relies on that time. */
async function move(context: Context, from: UserRow, into: UserRow, now: Date): Promise<MergeUndo> {
  const { db, classes } = context
  const [kept] = await db.query<{ row: string }>(
    sql`select row_to_json(_row)::text as row from "_User" _row where "objectId" = ${from.objectId}`,
  )
  if (!kept) throw new Error('the locked account does not exist')
  const primary = await db.query<{ objectId: string }>(
    sql`select "objectId" from countersign.wallets where "user" = ${from.objectId} and is_primary`,
  )
  const [fromId, intoId] = [from.objectId, into.objectId]
  const times = await db.query<{ id: string; time: Date }>(sql`
    select "objectId" as id, linked as time from countersign.wallets where "user" = ${fromId}
    union all select "objectId", created from countersign.passkeys where "user" = ${fromId}
    union all select provider || ' ' || id, linked from countersign.identities
      where "user" = ${fromId} and linked is not null`)
  const wallets = await db.query<{ objectId: string }>(sql`
    update countersign.wallets w set "user" = ${intoId}, linked = ${now},
      is_primary = w.is_primary and not exists (
        select from countersign.wallets p where p."user" = ${intoId} and p.namespace = w.namespace and p.is_primary)
    where w."user" = ${fromId}
    returning "objectId"`)
  const passkeys = await db.query<{ objectId: string }>(sql`
    update countersign.passkeys set "user" = ${intoId}, created = ${now}
    where "user" = ${fromId}
    returning "objectId"`)
  const { identities, additional } = await moveIdentities(context, from.objectId, into.objectId, now)
  const rows: NonNullable<MergeUndo['rows']> = []
  for (const table of keptTables) {
    const found = await db.query<{ row: string }>(
      sql`select row_to_json(_row)::text as row from countersign.${sql.id(table)} _row where "user" = ${fromId}`,
    )
    rows.push(...found.map(({ row }) => ({ table, row })))
  }
  const { copied } = mergeFields(classes.get('_User'), from, into)
  if (copied.length > 0) {
    const sets = copied.map((name) => sql`${sql.id(name)} = f.${sql.id(name)}`)
    await db.query(sql`
      update "_User" a set ${sql.join(sets)} from "_User" f
      where a."objectId" = ${into.objectId} and f."objectId" = ${from.objectId}`)
  }
  const moved = { wallets: idsOf(wallets), primary: idsOf(primary), passkeys: idsOf(passkeys), identities }
  const timesOf = Object.fromEntries(times.map(({ id, time }) => [id, time.toISOString()]))
  return { row: kept.row, ...moved, additional, rows, fields: copied, times: timesOf }
}

/** Leaves behind identities that never open an account alone: the remaining account would require them from then on. */
async function moveIdentities({ db, authProviders }: Context, from: string, into: string, now: Date) {
  const names = [...authProviders.values()].filter(({ policy }) => policy === 'additional').map(({ name }) => name)
  const additional = await db.query<{ row: string }>(sql`
    select row_to_json(_row)::text as row
    from countersign.identities _row
    where "user" = ${from} and provider = any(${names})`)
  const identities = await db.query<{ provider: string; id: string }>(sql`
    update countersign.identities set "user" = ${into},
      linked = case when linked is not null then ${now}::timestamptz end
    where "user" = ${from} and not provider = any(${names})
    returning provider, id`)
  return { identities, additional: additional.map(({ row }) => row) }
}

function idsOf(rows: { objectId: string }[]): string[] {
  return rows.map((row) => row.objectId)
}

type Merge = { objectId: string; from: string; into: string }

/**
 * Moves everything that names one account to another: access lists, pointers, relations and with them roles, in every
 * class. Changes are recorded, so that an undo reverts exactly those. Call it in the transaction of the merge.
 */
async function transferObjects(context: Context, merge: Merge): Promise<void> {
  // Roles from a token gate follow the wallets. If they moved like other roles, they would look granted by hand and
  // stay forever.
  await context.db.query(sql`delete from "_Join:users:_Role" where "relatedId" = ${merge.from} and "_gated"`)
  for (const schema of context.classes.list()) {
    // Sessions end; they are not handed over.
    if (schema.className === '_Session') continue
    try {
      await transferClass(context, schema, merge)
      context.db.reportChange(schema.className)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw refuse('mergeDuplicate', { className: schema.className }, { cause: error })
    }
  }
  context.db.afterCommit(() => context.roleCache.forgetAll())
}

async function transferClass({ db }: Context, schema: ClassSchema, merge: Merge): Promise<void> {
  const { className } = schema
  const table = tableOf(schema)
  const [from, into] = [sql`${sql.param(merge.from)}::text`, sql`${sql.param(merge.into)}::text`]
  // The account itself goes, and comes back by an undo as it was.
  const others = className === '_User' ? sql`and "objectId" <> ${from}` : sql``
  const run = (field: string, changed: Fragment) =>
    db.query(sql`
      with ${changed}
      insert into countersign.merge_changes (merge, class_name, field, "objectId", had_both)
      select ${merge.objectId}, ${className}, ${field}, "objectId", had_both from changed`)

  const moves: FieldMove[] = ['_rperm', '_wperm'].map((name) => {
    const list = sql.id(name)
    return {
      name,
      value: sql`case when ${into} = any(o.${list}) then array_remove(o.${list}, ${from})
          else array_replace(o.${list}, ${from}, ${into}) end`,
      hadBoth: sql`${into} = any(${list})`,
      condition: sql`${list} @> array[${from}] ${others}`,
    }
  })
  for (const [name, field] of schema.fields) {
    const column = sql.id(name)
    if (field.type === 'Pointer' && field.targetClass === '_User') {
      moves.push({ name, value: into, condition: sql`${column} = ${from} ${others}` })
    } else if (field.type === 'Array') {
      moves.push({
        name,
        value: replacePointer(sql`o.${column}`, merge.from, merge.into),
        hadBoth: sql`${column} @> ${`[${pointerIn(merge.into)}]`}::jsonb`,
        condition: sql`${column} @> ${`[${pointerIn(merge.from)}]`}::jsonb ${others}`,
      })
    }
  }
  for (const move of moves) {
    if (schema.distributed) await moveSpread(db, schema, merge, move)
    else await run(move.name, writeMove(table, move))
  }
  for (const [name, targetClass] of schema.relations) {
    const join = sql.table(joinTableName(className, name))
    const [related, owning] = [sql.id('relatedId'), sql.id('owningId')]
    // Relations that point to the account, and relations that start from it.
    if (targetClass === '_User') await run(name, moveEntries(join, related, owning, from, into))
    if (className === '_User') await run(`${name} of its own`, moveEntries(join, owning, related, from, into))
  }
}

function moveEntries(join: Fragment, own: Fragment, other: Fragment, from: Fragment, into: Fragment): Fragment {
  return sql`
    gone as (delete from ${join} where ${own} = ${from} returning ${other}),
    added as (
      insert into ${join} (${own}, ${other})
      select ${into}, ${other} from gone
      on conflict do nothing
      returning ${other}
    ),
    changed as (
      select gone.${other} as "objectId", added.${other} is null as had_both
      from gone
      left join added on added.${other} = gone.${other}
    )`
}

/** Fields that identify an account and never move. */
const own = new Set(['username', 'email', 'emailVerified', ...derivedFields])

/** The fields that a merge would copy because the surviving account lacks them, and those where its own stay. */
function mergeFields(schema: ClassSchema, from: UserRow, into: UserRow): { copied: string[]; kept: string[] } {
  const given = [...schema.fields.keys()].filter(
    (name) => !own.has(name) && from[name] !== null && from[name] !== undefined,
  )
  // A field set to null on purpose is not missing.
  const lacks = (name: string) => (into[name] === null || into[name] === undefined) && !into._nulls?.includes(name)
  return { copied: given.filter(lacks), kept: given.filter((name) => !lacks(name)) }
}

/** Seconds within which both accounts must be proven. */
const mergeProofLength = sensitiveChanges.merge.within

/** A wallet of the other account has signed for the merge, or somebody has just signed in to that account. */
type OtherProof = Partial<ProofInput> & { sessionToken?: string }

/**
 * Takes the proof of the other account and returns what a merge would move. Both sides are proven by now; nothing has
 * moved.
 */
async function previewMerge(context: Context, caller: Caller, input: OtherProof): Promise<MergePreview> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'merge', userId)
  const into = await findUser(context, userId)
  if (!into) throw refuse('invalidSessionToken')
  const { message, signature, sessionToken } = input
  const now = context.clock.now()
  const expires = new Date(now.getTime() + mergeProofLength * 1000)
  let proven: { from: UserRow; wallet?: string; session?: string }
  if (message !== undefined && signature !== undefined) {
    proven = await proveByWallet(context, caller, { message, signature })
  } else if (sessionToken !== undefined) proven = await proveBySession(context, caller, sessionToken, expires)
  else throw refuse('proofMissing')
  const { from, wallet = null, session = null } = proven
  refuseLocked(from)
  await refuseOperator(context, from.objectId)
  await refuseHalfProven(context, from.objectId, wallet !== null)
  await keepFactor(context, from.objectId, userId)

  const objectId = newObjectId()
  await context.db.query(sql`
    insert into countersign.merges ("objectId", "from", "into", wallet, session, proven, expires)
    values (${objectId}, ${from.objectId}, ${userId}, ${wallet}, ${session}, ${now}, ${expires})`)
  const { wallets, passkeys, identities } = await listSignInMethodsOf(context, from.objectId)
  const moving = identities?.filter(({ additional }) => !additional) ?? []
  const { copied, kept } = mergeFields(context.classes.get('_User'), from, into)
  const [sessions] = await context.db.query<{ count: number }>(sql`
    select count(*)::int as count from "_Session"
    where "user" = ${from.objectId} and "expiresAt" > ${now} and "objectId" is distinct from ${session}::text`)
  return {
    objectId,
    expiresAt: expires.toISOString(),
    from: { objectId: from.objectId, username: from.username },
    into: { objectId: userId, username: into.username },
    wallets,
    passkeys,
    ...(moving.length > 0 && { identities: moving }),
    fields: copied,
    kept,
    sessionsEnded: sessions?.count ?? 0,
  }
}

async function proveByWallet(context: Context, caller: Caller, input: ProofInput) {
  const { account } = await verifyWalletProof(context, caller, 'merge', input)
  const wallet = accountKey(account)
  const from = await findOwner(context, wallet)
  if (!from) throw refuse('walletWithoutAccount')
  if (from.objectId === requireSession(caller).userId) throw refuse('walletLinkedAlready')
  return { from, wallet }
}

/**
 * Proof by a session that any sign-in method has just opened, with its second factor if the account has one. Such a
 * session may do to its own account no less than a merge. It is used only for this and ends with it.
 */
async function proveBySession(context: Context, caller: Caller, token: string, expires: Date) {
  const unproven = () => refuse('otherAccountNotProven')
  const other = await findSession(context, token).catch(() => {
    throw unproven()
  })
  if (other.userId === requireSession(caller).userId) throw refuse('mergeWithItself')
  const asOther: Caller = { ...caller, isMaster: false, session: other }
  await requireFreshProof(context, asOther, 'merge', other.userId).catch((error: unknown) => {
    throw error instanceof CountersignError && error.reason === 'reauthenticationRequired' ? unproven() : error
  })
  const [held] = await context.db.query(sql`
    update "_Session" set "expiresAt" = least("expiresAt", ${expires})
    where "objectId" = ${other.objectId} and "user" = ${other.userId}
    returning 1`)
  const from = await findUser(context, other.userId)
  if (!held || !from) throw unproven()
  context.db.afterCommit(() => context.sessionCache.forgetSession(other.tokenKey))
  return { from, session: other.objectId }
}

/**
 * Requires a full proof of the other account: a wallet alone is not enough if a second factor is set or has to be set
 * up first. A session proved the factor when it was opened or confirmed.
 */
async function refuseHalfProven(context: Context, userId: string, isWallet: boolean): Promise<void> {
  if (isWallet) await checkDemands(context, userId, { by: 'wallet' })
  const { totp, passkey } = await findSecondFactor(context, userId)
  const isOn = totp || passkey
  if (isWallet && isOn) throw refuse('otherAccountHasSecondFactor')
  if (!isOn && (await isSecondFactorRequired(context, userId))) throw refuse('otherAccountNeedsSecondFactor')
}

/** Objects and roles that a factor guards go only into an account that has one. Returns whether there is such a factor. */
async function keepFactor(context: Context, fromId: string, intoId: string): Promise<boolean> {
  const [from, into] = [await findSecondFactor(context, fromId), await findSecondFactor(context, intoId)]
  const [isOn, remains] = [from.totp || from.passkey, into.totp || into.passkey]
  const isGuarded = isOn || (await asksForMore(context, fromId))
  if (isOn ? !remains : isGuarded && !(await asksForMore(context, intoId))) throw refuse('mergeNeedsSecondFactor')
  return isGuarded
}

/** A locked user must not return through another account. */
function refuseLocked(user: UserRow): void {
  if (isLocked(user)) throw refuse('otherAccountLocked')
}

/** Refuses to merge an operator, who would take the console along; a server may have no other. */
async function refuseOperator(context: Context, userId: string): Promise<void> {
  if (await isOperator(context, userId)) throw refuse('otherAccountOperator')
}

async function findOwner(context: Context, wallet: string): Promise<UserRow | undefined> {
  const [row] = await context.db.query<{ user: string }>(
    sql`select "user" from countersign.wallets where key = ${wallet}`,
  )
  return row && findUser(context, row.user)
}

export const previewMergeEndpoint = defineEndpoint('previewMerge', {
  handle: ({ context, caller, input }) => previewMerge(context, caller, input),
})

export const mergeEndpoint = defineEndpoint('merge', {
  handle: ({ context, caller, params }) => merge(context, caller, params.objectId),
})
