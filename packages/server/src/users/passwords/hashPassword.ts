import { hash, verify } from '@node-rs/argon2'

/** Argon2id with 19 MiB, two passes, one lane: the minimum of OWASP. The library's kind 2 is Argon2id. */
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The hash of a password that nobody has: unknown users cost the same time as known ones. */
let nobody: Promise<string> | undefined

/** The same for bcrypt, at the cost that parse-server takes. */
const nobodyOlder = '$2b$10$CwTycUXWue0Thq9StjUM0uJ8.ewYGCbV8Qgf0sWIY8F4rZCmMKcbS'

const bcrypt = /^\$2[aby]\$(0[4-9]|1[0-3])\$[./A-Za-z0-9]{53}$/

const argon2id = /^\$argon2id\$v=19\$m=(\d{1,5}),t=([1-4]),p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/

export function hashPassword(password: string): Promise<string> {
  return hash(password, options)
}

/**
 * Checks a password. Takes as long for a user that does not exist or has no password. `older`: some imported hashes are
 * still bcrypt, so every check computes both and its time does not reveal whose are.
 */
export async function checkPassword(
  stored: string | null | undefined,
  password: string,
  older = isOlderHash(stored),
): Promise<boolean> {
  nobody ??= hashPassword('\u0000 nobody has this password')
  const isOlder = isOlderHash(stored)
  const right = await verify((!isOlder && stored) || (await nobody), password)
  if (!older && !isOlder) return right && !!stored
  const rightOlder = await verifyOlder(isOlder ? (stored as string) : nobodyOlder, password)
  return isOlder ? rightOlder : right && !!stored
}

/** Kept from an import; replaced at the first sign-in. */
export function isOlderHash(stored: string | null | undefined): boolean {
  return stored?.startsWith('$2') ?? false
}

/** Returns true if an imported hash is acceptable. An expensive one would be a way to keep the server busy. */
export function isKeptHash(text: string): boolean {
  const [, memory] = argon2id.exec(text) ?? []
  return bcrypt.test(text) || (memory !== undefined && Number(memory) <= 65_536)
}

async function verifyOlder(stored: string, password: string): Promise<boolean> {
  if (!bcrypt.test(stored)) return false
  // Loaded where there are such hashes alone.
  return (await import('@node-rs/bcrypt')).verify(password, stored)
}
