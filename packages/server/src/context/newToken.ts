import { createHash, randomBytes } from 'node:crypto'

/** A secret that is handed out once; only its hash is kept. */
export function newToken(): string {
  return randomBytes(16).toString('hex')
}

/** How a token is kept and looked up. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
