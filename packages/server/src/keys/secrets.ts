import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import type { Keys } from './loadKeys.ts'

/** Encrypts what must not be readable in a stolen copy of the database (AES-256-GCM). */
export function encrypt({ secret }: Keys, use: string, text: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, use), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** The text again; `undefined` where the secret is another one or the bytes were changed. */
export function decrypt({ secret, formerSecret, nextSecret }: Keys, use: string, sealed: Buffer): string | undefined {
  const text = decryptWith(secret, use, sealed)
  if (text !== undefined || (!formerSecret && !nextSecret)) return text
  // During a rotation: data not encrypted again yet, or written by a server that got the new secret before us.
  for (const other of [formerSecret, nextSecret]) {
    const found = other === undefined ? undefined : decryptWith(other, use, sealed)
    if (found !== undefined) return found
  }
  return undefined
}

/** The text; `undefined` where it was encrypted with another secret than this one. */
export function decryptWith(secret: string, use: string, sealed: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, use), sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const derived = new Map<string, Buffer>()

function keyFor(secret: string, use: string): Buffer {
  const name = `${use} ${secret}`
  const key = derived.get(name) ?? Buffer.from(hkdfSync('sha256', secret, '', `countersign ${use}`, 32))
  derived.set(name, key)
  return key
}

/** A secret that is handed out once; only its hash is kept. */
export function newToken(): string {
  return randomBytes(16).toString('hex')
}

/** Hash by which a token is stored and found. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
