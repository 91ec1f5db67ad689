import type { JWK } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decrypt, encrypt, newToken } from '../keys/secrets.ts'

/** Algorithms of ID tokens. Every library knows RS256; ES256 is shorter. */
const algorithms = ['RS256', 'ES256'] as const

/** The keys, newest first. Creates the first ones; of several servers that start together, one does. */
export async function listSigningKeys(context: Context): Promise<JWK[]> {
  const keys = await readKeys(context)
  if (keys.length > 0) return keys
  await context.db.transaction(async () => {
    await context.db.query(sql`lock table countersign.oidc_keys in share row exclusive mode`)
    if ((await readKeys(context)).length === 0) await addKeys(context)
  })
  return readKeys(context)
}

async function readKeys({ db, keys }: Context): Promise<JWK[]> {
  const rows = await db.query<{ key: Buffer }>(sql`
    select key from countersign.oidc_keys where kid <> 'pairwise' order by retired is not null, created desc, kid`)
  return rows.flatMap(({ key }) => {
    const text = decrypt(keys, 'oidc signing key', key)
    return text === undefined ? [] : [JSON.parse(text) as JWK]
  })
}

async function addKeys({ db, keys, clock }: Context): Promise<void> {
  const { exportJWK, generateKeyPair } = await import('jose')
  for (const alg of algorithms) {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const kid = newToken()
    const jwk = { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' }
    await db.query(sql`
      insert into countersign.oidc_keys (kid, key, created)
      values (${kid}, ${encrypt(keys, 'oidc signing key', JSON.stringify(jwk))}, ${clock.now()})`)
  }
}

/** Retires the keys and creates new ones. */
export async function renewSigningKeys(context: Context): Promise<void> {
  const { db, clock } = context
  await db.transaction(async () => {
    await db.query(sql`lock table countersign.oidc_keys in share row exclusive mode`)
    await db.query(sql`
      update countersign.oidc_keys set retired = ${clock.now()} where retired is null and kid <> 'pairwise'`)
    await addKeys(context)
  })
}
