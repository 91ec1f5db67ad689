import { randomBytes } from 'node:crypto'
import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decrypt, encrypt } from '../keys/secrets.ts'
import { parseScope } from '../scopes/Scope.ts'
import { agentAudience, apiAudience } from '../users/tokens/holdCredential.ts'

/** Resource servers that clients may request tokens for. Tokens of our own API are opaque: they end at once. */
export function describeResource(context: Context, resource: string, requested: readonly string[]): ResourceServer {
  const { accessTokenLength, resources } = context.config.oidc
  const shared = { audience: resource, accessTokenTTL: accessTokenLength }
  if (isOwnResource(context, resource))
    return { ...shared, scope: requested.filter(isDelegated).join(' '), accessTokenFormat: 'opaque' }
  const own = resources.find(({ url }) => url === resource)
  if (!own) throw new errors.InvalidTarget()
  return {
    ...shared,
    scope: own.scopes.join(' '),
    accessTokenFormat: own.accessTokens,
    ...(own.accessTokens === 'jwt' && { jwt: { sign: { alg: 'RS256' as const } } }),
  }
}

/** Returns true for our API, and for the endpoint of agents. */
export function isOwnResource(context: Context, resource: unknown): boolean {
  if (resource === agentAudience(context)) return context.config.mcp.enabled
  return resource === apiAudience(context)
}

/** Scopes of a request, or of the code or token from which this one comes. */
export function listRequested({ params, entities }: KoaContextWithOIDC['oidc']): string[] {
  const { AuthorizationCode, RefreshToken, DeviceCode } = entities as Record<string, { scope?: string } | undefined>
  const texts = [params?.scope, AuthorizationCode?.scope, RefreshToken?.scope, DeviceCode?.scope]
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(' ') : [])).filter(Boolean)
}

/** Returns true for a scope that a person can give to a client. */
export function isDelegated(scope: string): boolean {
  try {
    parseScope([scope], 'oauth')
    return true
  } catch {
    return false
  }
}

/** Secret of the ids that clients with `isPairwise` get. It never changes: accounts at those clients depend on it. */
export async function pairwiseSalt({ db, keys, clock }: Context): Promise<string> {
  const made = encrypt(keys, 'oidc signing key', randomBytes(32).toString('base64url'))
  await db.query(sql`
    insert into countersign.oidc_keys (kid, key, created) values ('pairwise', ${made}, ${clock.now()})
    on conflict do nothing`)
  const [row] = await db.query<{ key: Buffer }>(sql`select key from countersign.oidc_keys where kid = 'pairwise'`)
  const salt = row && decrypt(keys, 'oidc signing key', row.key)
  if (salt === undefined) throw new Error('The secret of pairwise ids cannot be read with the keys of this server.')
  return salt
}
