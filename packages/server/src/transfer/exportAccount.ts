import { Readable } from 'node:stream'
import { CountersignError, errorCodes, type WireFields } from '@countersign/protocol'
import { listFailedSignInsOf } from '../auth/failedSignIns.ts'
import { withIdentities } from '../auth/providers/identities.ts'
import { getAccountSecurity } from '../auth/recovery/accountSecurity.ts'
import { getSecondFactor } from '../auth/secondFactor/secondFactor.ts'
import { listSignInMethodsOf } from '../auth/signInMethods.ts'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { isUndefinedTable } from '../db/databaseErrors.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { respond } from '../endpoint/respond.ts'
import { findObjects } from '../objects/findObjects.ts'
import { getObject } from '../objects/getObject.ts'
import { findRoles } from '../roles/accessOf.ts'
import { listActivity, recordActivity } from '../users/activity.ts'
import { makeSensitiveChange, requireFreshProof } from '../users/sensitiveChanges.ts'
import { encodeSession, requireSession, selectSessions } from '../users/sessions/sessions.ts'

const pageSize = 100

/** How long an export keeps the next one of the account waiting, should nobody ever read it. */
const longest = 10 * 60_000

/** Written as parts of their own. */
const apart = new Set(['_User', '_Session', '_Role', '_EthAddress', '_SolAddress'])

/**
 * Exports everything stored about the caller as one JSON text, streamed. Secrets stored as hashes are left out: they
 * are useless to the owner and valuable to a thief. Requires a fresh proof: a page left open must not give the whole
 * account away in one file.
 */
export async function exportAccount(context: Context, caller: Caller): Promise<Readable> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'exportAccount', userId)
  const end = begin(context, userId)
  try {
    await makeSensitiveChange(context, caller, 'exportAccount', userId, () =>
      recordActivity(context, caller, userId, 'exportAccount'),
    )
    const head = await readHead(context, caller)
    return Readable.from(write(context, caller, head, userId), { objectMode: false }).once('close', end)
  } catch (error) {
    end()
    throw error
  }
}

/** One at a time for a user: each looks through all that the server keeps. */
function begin({ exports: begun, clock }: Context, userId: string): () => void {
  const now = clock.ms()
  if (now - (begun.get(userId) ?? Number.NEGATIVE_INFINITY) < longest) {
    const message = 'An export of this account is already in progress. Wait until it has finished.'
    throw new CountersignError('RequestLimitExceeded', message, { rateLimit: { retryAfter: 10 } })
  }
  begun.set(userId, now)
  return () => {
    if (begun.get(userId) === now) begun.delete(userId)
  }
}

async function readHead(context: Context, caller: Caller): Promise<object> {
  const { userId, user } = requireSession(caller)
  const [known, signInMethods, secondFactor, rememberedDevices, security, invitations, roles, sessions, failedSignIns] =
    await Promise.all([
      withIdentities(context, caller, { ...user, objectId: userId }),
      listSignInMethodsOf(context, userId),
      getSecondFactor(context, caller),
      listRememberedDevices(context, userId),
      getAccountSecurity(context, caller),
      listInvitations(context, userId),
      findRoles(context, userId),
      selectSessions(context, { userId, objectId: null }),
      listFailedSignInsOf(context, userId),
    ])
  return {
    exportedAt: context.clock.now().toISOString(),
    user: known,
    signInMethods,
    secondFactor: { ...secondFactor, rememberedDevices },
    ...security,
    invitations,
    roles,
    sessions: sessions.map((row) => encodeSession(context, caller, row)),
    failedSignIns,
  }
}

/** When, and until when: the secret of the browser's cookie is kept as a hash. */
async function listRememberedDevices({ db, clock }: Context, userId: string): Promise<object[]> {
  const rows = await db.query<{ created: Date; expires: Date }>(sql`
    select created, expires from countersign.remembered_devices
    where "user" = ${userId} and expires > ${clock.now()}
    order by created`)
  return rows.map(({ created, expires }) => ({ createdAt: created.toISOString(), expiresAt: expires.toISOString() }))
}

/** Invitations that the account was created with, without the operator's notes. */
async function listInvitations({ db }: Context, userId: string): Promise<object[]> {
  const rows = await db.query<{ email: string | null; role: string | null; created: Date; used: Date }>(
    sql`select email, role, created, used from countersign.invitations where used_by = ${userId} order by used`,
  )
  return rows.map(({ email, role, created, used }) => ({
    ...(email !== null && { email }),
    ...(role !== null && { role }),
    createdAt: created.toISOString(),
    usedAt: used.toISOString(),
  }))
}

async function* write(context: Context, caller: Caller, head: object, userId: string): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 1).slice(0, -2)
  yield ',\n "files": ['
  yield* writeRows(listFiles(context, userId))
  yield '],\n "activity": ['
  yield* writeRows(listAllActivity(context, caller))
  yield '],\n "objects": {'
  let comma = ''
  for (const schema of context.classes.list()) {
    if (apart.has(schema.className)) continue
    yield `${comma}\n  ${JSON.stringify(schema.className)}: [`
    yield* writeRows(listObjects(context, caller, schema, userId))
    yield ']'
    comma = ','
  }
  yield '\n }\n}\n'
}

async function* writeRows(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let comma = ''
  for await (const row of rows) {
    yield `${comma}\n   ${JSON.stringify(row)}`
    comma = ','
  }
}

async function* listAllActivity(context: Context, caller: Caller): AsyncGenerator<object> {
  let before: string | undefined
  for (;;) {
    const { results } = await listActivity(context, caller, { limit: pageSize, ...(before && { before }) })
    yield* results
    before = results.at(-1)?.at
    if (results.length < pageSize || before === undefined) return
  }
}

/** Objects that name the user in their access list or by a pointer, as far as the user may read them. */
async function* listObjects(
  context: Context,
  caller: Caller,
  schema: ClassSchema,
  userId: string,
): AsyncGenerator<WireFields> {
  const pointers = [...schema.fields].filter(
    ([, { type, targetClass }]) => type === 'Pointer' && targetClass === '_User',
  )
  const user = sql`${sql.param(userId)}::text`
  const named = sql.join(
    [
      sql`"_rperm" @> array[${user}]`,
      sql`"_wperm" @> array[${user}]`,
      ...pointers.map(([name]) => sql`${sql.id(name)} = ${user}`),
    ],
    ' or ',
  )
  let after = ''
  for (;;) {
    const page = sql`
      select "objectId" from ${tableOf(schema)}
      where (${named}) and "objectId" > ${after}
      order by "objectId"
      limit ${sql.raw(pageSize)}`
    const rows = await context.db.query<{ objectId: string }>(page).catch((error: unknown) => {
      if (isUndefinedTable(error)) return []
      throw error
    })
    const last = rows.at(-1)
    if (!last) return
    after = last.objectId
    const $in = rows.map(({ objectId }) => objectId)
    // Asked as the caller: protected fields and the rights of the class hold here as everywhere.
    if (schema.className === '_Installation') {
      for (const objectId of $in) yield* await readDevice(context, caller, objectId)
      continue
    }
    const asked = { where: { objectId: { $in } }, limit: pageSize }
    const found = await findObjects(context, caller, schema.className, asked).catch(leaveOut)
    if (!found) return
    yield* found.results as WireFields[]
  }
}

/** Clients may only read single devices. Token and keys of a device are secret. */
async function readDevice(context: Context, caller: Caller, objectId: string): Promise<WireFields[]> {
  const asked = { excludeKeys: 'deviceToken,pushKeys' }
  const found = await getObject(context, caller, '_Installation', objectId, asked).catch(leaveOut)
  return found ? [found] : []
}

/** A class that the caller may not ask has nothing to tell; any other failure must not look like an account without data. */
function leaveOut(error: unknown): undefined {
  const codes: number[] = [errorCodes.OperationForbidden, errorCodes.ObjectNotFound]
  if (error instanceof CountersignError && codes.includes(error.code)) return undefined
  throw error
}

async function* listFiles({ db }: Context, userId: string): AsyncGenerator<object> {
  let after = ''
  for (;;) {
    const rows = await db.query<{
      name: string
    }>(sql`
      select name, type, size::text as size, created from countersign.files
      where owner = ${userId} and original is null and digest is not null and name > ${after}
      order by name
      limit ${sql.raw(pageSize)}`)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.name
  }
}

export const exportAccountEndpoint = defineEndpoint('exportAccount', {
  streams: true,
  handle: async ({ context, caller }) =>
    // Written while it is read.
    respond((await exportAccount(context, caller)) as object as WireFields, {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': 'attachment; filename="my-data.json"',
        'Cache-Control': 'no-store',
      },
    }),
})
