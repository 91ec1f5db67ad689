import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import type { SessionMethod } from '../users/sessions/admit.ts'

/** Values of RFC 8176 for each method; `pop` is the proof of a key (OpenID EAP), `fed` a sign-in at another provider. */
const amrOf: { [method in SessionMethod]?: readonly string[] } = {
  password: ['pwd'],
  signUp: ['pwd'],
  emailCode: ['otp'],
  identity: ['fed'],
  soloIdentity: ['fed'],
  wallet: ['pop'],
  relayedWallet: ['pop'],
  passkey: ['pop', 'user', 'mfa'],
  passkeyTouch: ['pop', 'user'],
  recoveryCode: ['otp'],
  secondCode: ['otp', 'mfa'],
  secondPasskey: ['pop', 'user', 'mfa'],
}

/** Levels of `acr`, the lowest first: one factor, two factors, phishing-resistant (OpenID EAP). */
export const acrLevels = ['urn:countersign:acr:1', 'urn:countersign:acr:2', 'phr'] as const

export type Assurance = { amr?: string[]; acr?: string }

/** The last proof of a session in the terms of ID tokens. Nothing is stated about a session without a known proof. */
export async function readAssurance({ db }: Context, sessionId: string): Promise<Assurance> {
  const [row] = await db.query<{ methods: SessionMethod[] | null }>(
    sql`select "_methods" as methods from "_Session" where "objectId" = ${sessionId}`,
  )
  const methods = row?.methods ?? []
  const amr = [...new Set(methods.flatMap((method) => amrOf[method] ?? []))]
  if (amr.length === 0) return {}
  const level = methods.includes('passkey') ? 2 : amr.includes('mfa') ? 1 : 0
  return { amr, acr: acrLevels[level] as string }
}

/** Returns true if a level satisfies `acr_values`. Values that nobody here knows are ignored, as the standard wants. */
export function satisfies(acr: string | undefined, acrValues: unknown): boolean {
  const levels: readonly string[] = acrLevels
  const wanted = String(acrValues ?? '')
    .split(' ')
    .map((value) => levels.indexOf(value))
    .filter((level) => level >= 0)
  return wanted.length === 0 || levels.indexOf(acr ?? '') >= Math.min(...wanted)
}
