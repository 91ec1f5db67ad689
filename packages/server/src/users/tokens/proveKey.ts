import { createHash } from 'node:crypto'
import { refuse } from '@countersign/protocol'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose'
import { isNear } from '../../clock/Clock.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashToken } from '../../keys/secrets.ts'

/** Time (ms) around the present in which a proof counts, and for which its id is remembered. */
const window = 300_000

const algorithms = ['ES256', 'EdDSA', 'Ed25519']

type Sent = { method: string; headers: { [name: string]: string | string[] | undefined }; url: string }

/**
 * Verifies a proof of DPoP (RFC 9449) for a token that is bound to a key, and returns the key's thumbprint: signed by
 * that key for this method, address and token, a moment ago, and never seen before on any server.
 */
export async function proveKey(context: Context, token: string, { method, headers, url }: Sent): Promise<string> {
  const proof = headers.dpop
  const isSchemeOfProofs = /^dpop /i.test(String(headers.authorization))
  if (typeof proof !== 'string' || !isSchemeOfProofs) throw refused('Send the token as DPoP, with one proof.')
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    algorithms,
    typ: 'dpop+jwt',
    currentDate: context.clock.now(),
  }).catch(() => {
    throw refused('The proof is invalid.')
  })
  const { htm, htu, ath, iat, jti } = payload as { [claim: string]: unknown }
  if (htm !== method) throw refused('The proof is for another method.')
  if (!isSameAddress(htu, `${context.publicUrl}${url}`)) throw refused('The proof is for another address.')
  if (ath !== createHash('sha256').update(token).digest('base64url')) throw refused('The proof is for another token.')
  if (typeof iat !== 'number' || !isNear(iat * 1000, context.clock.ms(), window))
    throw refused('The proof is too old, or the clock of its sender is wrong.')
  if (typeof jti !== 'string' || jti === '' || jti.length > 200) throw refused('The proof has no id.')
  const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk as JWK)
  // The database remembers: a proof that was read on the way is worth nothing at another server either.
  const fresh = await context.db.query(sql`
    insert into countersign.oidc_records (model, id, content, expires, created)
    values ('Proof', ${hashToken(`${thumbprint} ${jti}`)}, ''::bytea, ${new Date(context.clock.ms() + 2 * window)},
      ${context.clock.now()})
    on conflict do nothing
    returning 1 as one`)
  if (fresh.length === 0) throw refused('The proof was used before.')
  return thumbprint
}

/** Compares without query and fragment. */
function isSameAddress(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || !URL.canParse(given)) return false
  const [one, other] = [new URL(given), new URL(expected)]
  return one.origin === other.origin && one.pathname === other.pathname
}

const refused = (details: string) => refuse('invalidSessionToken', undefined, { details, status: 401 })
