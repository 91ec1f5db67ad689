import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { InputOf, OutputOf } from '../../endpoint/defineEndpoint.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../activity.ts'
import { notifyOwner } from '../email/notifyOwner.ts'
import { refuseHidden } from '../hiddenCharacters.ts'
import { makeSensitiveChange } from '../sensitiveChanges.ts'
import { requireSession } from '../sessions/sessions.ts'
import { endTokens, issueToken } from './issueToken.ts'
import { listTokens } from './tokenRows.ts'

async function createAccessToken(
  context: Context,
  caller: Caller,
  { name, scopes, addresses, expiresIn }: InputOf<'createAccessToken'>,
): Promise<OutputOf<'createAccessToken'>> {
  const { userId } = requireSession(caller)
  refuseHidden(name, 'name')
  return makeSensitiveChange(context, caller, 'createAccessToken', userId, async () => {
    const expires = new Date(context.clock.ms() + expiresIn * 1000)
    const draft = { kind: 'personal', name, scopes, userId, expires, ...(addresses && { addresses }) } as const
    const { record, token } = await issueToken(context, draft)
    await recordActivity(context, caller, userId, 'createAccessToken', {
      token: record.objectId,
      name,
      scopes: record.scopes,
    })
    notifyOwner(context, userId, (say) => say('accessTokenCreated', { name: name.slice(0, 80) }))
    return { ...record, token }
  })
}

async function revokeAccessToken(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  const { userId } = requireSession(caller)
  return context.db.transaction(async () => {
    const [ended] = await endTokens(context, sql`id = ${objectId} and "user" = ${userId}`)
    if (!ended) throw refuse('objectNotFound')
    await recordActivity(context, caller, userId, 'revokeAccessToken', { token: ended.id, name: ended.name })
    return {}
  })
}

export const listAccessTokensEndpoint = defineEndpoint('listAccessTokens', {
  async handle({ context, caller }) {
    const { userId } = requireSession(caller)
    return { results: await listTokens(context, sql`t."user" = ${userId}`) }
  },
})

export const createAccessTokenEndpoint = defineEndpoint('createAccessToken', {
  handle: ({ context, caller, input }) => createAccessToken(context, caller, input),
})

export const revokeAccessTokenEndpoint = defineEndpoint('revokeAccessToken', {
  handle: ({ context, caller, params }) => revokeAccessToken(context, caller, params.objectId),
})

export const getAccessTokenEndpoint = defineEndpoint('getAccessToken', {
  async handle({ context, caller }) {
    const [record] = caller.token ? await listTokens(context, sql`t.id = ${caller.token.grant.id}`) : []
    if (!record) throw refuse('invalidSessionToken')
    return record
  },
})
