import { CountersignError, headers, refuse } from '@countersign/protocol'
import { withFreshClasses } from '../../classes/createClasses.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { databaseTime } from '../../db/databaseTime.ts'
import { sql } from '../../db/sql.ts'
import type { Answers } from '../../endpoint/Endpoint.ts'
import { respond, toResponse } from '../../endpoint/respond.ts'
import { decrypt, encrypt, hashToken } from '../../keys/secrets.ts'
import { type ClientId, duplicateId } from '../../objects/clientIds.ts'
import { accessOf } from '../../roles/accessOf.ts'

type Kept = { fingerprint: Buffer; answer: Buffer }

type Request = {
  requestId: string
  method: string
  path: string
  body: object
  /** Set for a create whose document has an id made by the client: the id is the request id, for every caller. */
  made?: ClientId | undefined
}

/**
 * Runs a write once, for any number of repeats by a client whose response was lost. The response is stored in the
 * transaction of the write: a crash leaves both or neither. Of two concurrent ones the second rolls back and returns
 * the first response.
 */
export async function runIdempotent(
  context: Context,
  caller: Caller,
  request: Request,
  work: () => Promise<object>,
): Promise<object> {
  const { find, keep } = createAnswers(context, caller, request)
  const earlier = await find()
  if (earlier) return earlier
  // Looked up outside the transaction, where nothing unfinished can be seen and cached.
  await accessOf(context, caller)
  try {
    return await withFreshClasses(context.classes, () =>
      context.db.transaction(
        async () => {
          const output = await work()
          await keep(output)
          return output
        },
        { tries: 5 },
      ),
    )
  } catch (error) {
    const meanwhile = await find()
    if (meanwhile) return meanwhile
    throw error
  }
}

export function createAnswers(context: Context, caller: Caller, request: Request): Answers {
  const { db, config, clock, keys } = context
  const { requestId, made } = request
  const identity = identityOf(caller)
  const text = `${request.method} ${request.path} ${JSON.stringify(request.body)}`
  const id = hashToken(made ? `id ${made.className} ${requestId}` : `${identity} ${requestId}`)
  const fingerprint = hashToken(made ? `${identity} ${text}` : text)
  return { find, keep }

  async function find(): Promise<object | undefined> {
    const [kept] = await db.query<Kept>(sql.named('find-request')`
      select fingerprint, answer from countersign.requests where id = ${id} and expires > ${databaseTime(clock)}`)
    if (!kept) return undefined
    if (!kept.fingerprint.equals(fingerprint)) {
      // The same as for any document that has this id: whose it is stays unknown.
      if (made) throw duplicateId()
      throw new CountersignError(
        'DuplicateRequest',
        'This request id was used for another request. Use a new id for each request, and the same one only to repeat it.',
      )
    }
    const text = decrypt(keys, 'request answer', kept.answer)
    if (text === undefined) throw new CountersignError('DuplicateRequest', 'Duplicate request')
    const { output, isNew } = JSON.parse(text) as { output: object; isNew: boolean }
    return isNew ? respond(output, { status: 201 }) : output
  }

  async function keep(given: object): Promise<void> {
    const { output, status } = toResponse(given)
    const answer = encrypt(keys, 'request answer', JSON.stringify({ output, isNew: status === 201 }))
    const now = databaseTime(clock)
    const age = caller.requestAge ?? config.idempotencyOptions.ttl
    // One text for both: the statement is prepared under its name.
    const expires = sql`coalesce(${made?.expires ?? null}::timestamptz, ${now} + ${age} * interval '1 second')`
    const kept = await db.query(sql.named('keep-request')`
      insert into countersign.requests as r (id, request_id, fingerprint, answer, created, expires)
      values (${id}, ${requestId}, ${fingerprint}, ${answer}, ${now}, ${expires})
      on conflict (id) do update set
        fingerprint = excluded.fingerprint, answer = excluded.answer,
        created = excluded.created, expires = excluded.expires
      where r.expires <= ${now}
      returning 1`)
    if (kept.length === 0) throw new CountersignError('DuplicateRequest', 'Duplicate request')
  }
}

/** A request id belongs to its caller: guessing it reveals nobody else's response. */
function identityOf(caller: Caller): string {
  const { isMaster, operator, session, token, installationId, ipAddress, requestAge } = caller
  if (token) return `token ${token.grant.id}`
  if (operator && session) return `operator ${session.userId}`
  if (isMaster) return 'master'
  if (session) return `user ${session.userId}`
  // A device that was offline comes back from another network. Its installation id is as secret as the request id.
  const isQueued = requestAge !== undefined && installationId !== undefined
  return isQueued ? `queued ${installationId}` : `guest ${installationId ?? ''} ${ipAddress}`
}

/** Seconds that the client asks the response to be kept, within the operator's limit. */
export function readRequestAge({ config }: Context, age: unknown): number {
  if (typeof age !== 'string' || !/^\d{1,9}$/.test(age)) {
    throw refuse('invalidInput', { field: headers.requestAge, problem: 'must be a number of seconds' })
  }
  return Math.max(config.idempotencyOptions.ttl, Math.min(Number(age), config.offline.requestAge))
}
