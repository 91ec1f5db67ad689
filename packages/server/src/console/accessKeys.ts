import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint, type InputOf, type OutputOf } from '../endpoint/defineEndpoint.ts'
import { refuseHidden } from '../users/hiddenCharacters.ts'
import { endTokens, issueToken, type TokenDraft } from '../users/tokens/issueToken.ts'
import { listTokens } from '../users/tokens/tokenRows.ts'

const isKey = sql`kind in ('service', 'operator')`

/**
 * Locks the operator who will know the secret until the transaction ends, so that a removed operator leaves no key.
 * `undefined` for the master key.
 */
async function holdMaker({ db }: Context, { operator, session }: Caller): Promise<string | undefined> {
  if (!operator || !session) return undefined
  const held = await db.query(
    sql`select from countersign.operators where "user" = ${session.userId} and role = 'admin' for share`,
  )
  if (held.length === 0) throw refuse('operatorForbidden')
  return session.userId
}

async function createAccessKey(
  context: Context,
  caller: Caller,
  { name, scopes, addresses, service, expiresIn }: InputOf<'createAccessKey'>,
): Promise<OutputOf<'createAccessKey'>> {
  const { db, clock } = context
  refuseHidden(name, 'name')
  return db.transaction(async () => {
    const madeBy = await holdMaker(context, caller)
    if (service !== undefined) {
      const found = await db.query(sql`select from countersign.services where id = ${service} for share`)
      if (found.length === 0) throw refuse('objectNotFound')
    }
    const { record, token } = await issueToken(context, {
      kind: service === undefined ? 'operator' : 'service',
      name,
      scopes,
      madeBy,
      ...(service !== undefined && { service }),
      ...(addresses && { addresses }),
      ...(expiresIn !== undefined && { expires: new Date(clock.ms() + expiresIn * 1000) }),
    })
    return { ...record, token }
  })
}

type Former = {
  kind: 'service' | 'operator'
  name: string
  service: string | null
  scopes: string[]
  addresses: string[]
  created: Date
  expires: Date | null
  replaces: string | null
}

/** Of a line of keys at most two are valid: the one that was replaced before ends. */
async function rotateAccessKey(
  context: Context,
  caller: Caller,
  objectId: string,
  overlap: number,
): Promise<OutputOf<'rotateAccessKey'>> {
  const { db, clock } = context
  return db.transaction(async () => {
    const madeBy = await holdMaker(context, caller)
    const now = clock.ms()
    const [former] = await db.query<Former>(sql`
      select kind, name, service, scopes, addresses, created, expires, replaces from countersign.access_tokens
      where id = ${objectId} and ${isKey} and (expires is null or expires > ${clock.now()}) for update`)
    if (!former) throw refuse('objectNotFound')
    const { kind, name, service, scopes, addresses, created, expires, replaces } = former
    await endTokens(context, sql`${isKey} and (replaces = ${objectId} or id = ${replaces})`)
    const draft: TokenDraft = { kind, name, scopes, addresses, madeBy, replaces: objectId }
    if (service !== null) draft.service = service
    // As long as the former one was to be valid, from now on.
    if (expires) draft.expires = new Date(now + expires.getTime() - created.getTime())
    const { record, token } = await issueToken(context, draft)
    await db.query(sql`
      update countersign.access_tokens
      set expires = least(coalesce(expires, 'infinity'), ${new Date(now + overlap * 1000)}::timestamptz)
      where id = ${objectId}`)
    return { ...record, token }
  })
}

export const listAccessKeysEndpoint = defineEndpoint('listAccessKeys', {
  handle: async ({ context }) => ({ results: await listTokens(context, sql`t.kind in ('service', 'operator')`) }),
})

export const createAccessKeyEndpoint = defineEndpoint('createAccessKey', {
  auditDetails: ({ name, scopes, service }) => ({ name, scopes, service }),
  handle: ({ context, caller, input }) => createAccessKey(context, caller, input),
})

export const rotateAccessKeyEndpoint = defineEndpoint('rotateAccessKey', {
  handle: ({ context, caller, params, input }) => rotateAccessKey(context, caller, params.objectId, input.overlap),
})

export const revokeAccessKeyEndpoint = defineEndpoint('revokeAccessKey', {
  async handle({ context, params }) {
    const [ended] = await endTokens(context, sql`id = ${params.objectId} and ${isKey}`)
    if (!ended) throw refuse('objectNotFound')
    return {}
  },
})
