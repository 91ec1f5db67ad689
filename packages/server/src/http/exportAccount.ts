import { Readable } from 'node:stream'
import { CountersignError, errorCodes, type WireFields } from '@countersign/protocol'
import { listWaysInOf } from '../auth/listWaysIn.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { quote, tableOf } from '../db/createBindings.ts'
import { findObjects } from '../objects/findObjects.ts'
import { findRoles } from '../roles/findRoles.ts'
import { encodeSession } from '../users/encodeSession.ts'
import { listActivity } from '../users/listActivity.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { selectSessions } from '../users/selectSessions.ts'
import { makeSensitiveChange, requireFreshProof } from '../users/sensitiveChanges.ts'

const pageSize = 100
/** How long an export keeps the next one of the account waiting, should nobody ever read it. */
const longest = 10 * 60_000

/** When exports that are being written began, by user. Each looks through all that the server keeps. */
const underWay = new WeakMap<Context, Map<string, number>>()

/** Told by parts of their own. */
const apart = new Set(['_User', '_Session', '_Role', '_EthAddress', '_SolAddress'])

/**
 * Everything that the server keeps of the caller, as one JSON text that is written while it is read. Secrets are
 * kept as hashes and stay here: they are no use to their owner, and much to a thief. For the same reason whoever
 * finds an open page has to show a proof before the whole account leaves in one file.
 */
export async function exportAccount(context: Context, caller: Caller): Promise<Readable> {
  const { userId } = needSession(caller)
  await requireFreshProof(context, caller, 'exportAccount', userId)
  const end = begin(context, userId)
  try {
    await makeSensitiveChange(context, caller, 'exportAccount', userId, () =>
      noteActivity(context, caller, userId, 'exportAccount'),
    )
    const head = await readHead(context, caller)
    return Readable.from(write(context, caller, head, userId), { objectMode: false }).once('close', end)
  } catch (error) {
    end()
    throw error
  }
}

function begin(context: Context, userId: string): () => void {
  const begun = underWay.get(context) ?? new Map<string, number>()
  underWay.set(context, begun)
  const now = context.clock.now().getTime()
  if (now - (begun.get(userId) ?? Number.NEGATIVE_INFINITY) < longest) {
    const message = 'An export of this account is being written already. Wait until it is done.'
    throw new CountersignError('RequestLimitExceeded', message, { rateLimit: { retryAfter: 10 } })
  }
  begun.set(userId, now)
  return () => {
    if (begun.get(userId) === now) begun.delete(userId)
  }
}

async function readHead(context: Context, caller: Caller): Promise<object> {
  const { userId, user } = needSession(caller)
  const [waysIn, roles, sessions] = await Promise.all([
    listWaysInOf(context, userId),
    findRoles(context, userId),
    selectSessions(context, { userId, objectId: null }),
  ])
  return {
    exportedAt: context.clock.now().toISOString(),
    user,
    waysIn,
    roles,
    sessions: sessions.map((row) => encodeSession(context, caller, row)),
  }
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
  const names = ['"_rperm" @> array[$1::text]', '"_wperm" @> array[$1::text]']
  const where = [...names, ...pointers.map(([name]) => `${quote(name)} = $1`)].join(' or ')
  let after = ''
  for (;;) {
    const rows = await context.db.query<{ objectId: string }>({
      text: `select "objectId" from ${tableOf(schema.className)} where (${where}) and "objectId" > $2 order by "objectId" limit ${pageSize}`,
      values: [userId, after],
    })
    const last = rows.at(-1)
    if (!last) return
    after = last.objectId
    const $in = rows.map(({ objectId }) => objectId)
    // Asked as the caller: protected fields and the rights of the class hold here as everywhere.
    const asked = { where: { objectId: { $in } }, limit: pageSize }
    const found = await findObjects(context, caller, schema.className, asked).catch(leaveOut)
    if (!found) return
    yield* found.results as WireFields[]
  }
}

/** A class that the caller may not ask has nothing to tell; any other failure must not look like an account without data. */
function leaveOut(error: unknown): undefined {
  if (error instanceof CountersignError && error.code === errorCodes.OperationForbidden) return undefined
  throw error
}

async function* listFiles({ db }: Context, userId: string): AsyncGenerator<object> {
  let after = ''
  for (;;) {
    const rows = await db.query<{ name: string }>({
      text: `select name, type, size::text as size, created from countersign.files
             where owner = $1 and original is null and digest is not null and name > $2 order by name limit ${pageSize}`,
      values: [userId, after],
    })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.name
  }
}
