import { hash, randomBytes } from 'node:crypto'

/** A secret that is handed out once; only its hash is kept. */
export function newToken(): string {
  return randomBytes(16).toString('hex')
}

/** Hash by which a token is stored and found. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
