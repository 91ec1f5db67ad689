import { hash, verify } from '@node-rs/argon2'

/** Argon2id with 19 MiB, two passes, one lane: what OWASP asks for at least. The library's kind 2 is Argon2id. */
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The hash of a password that nobody has: unknown users cost the same time as known ones. */
let nobody: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, options)
}

/** Whether the password is right. Takes as long for a user that does not exist or has no password. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('\u0000 nobody has this password')
  const right = await verify(stored || (await nobody), password)
  return right && !!stored
}
