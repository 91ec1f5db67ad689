import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Keys } from './loadKeys.ts'

/** Encrypts what must not be readable in a stolen copy of the database (AES-256-GCM). */
export function seal({ secret }: Keys, use: string, text: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, use), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** The text again; `undefined` where the secret is another one or the bytes were changed. */
export function unseal({ secret }: Keys, use: string, sealed: Buffer): string | undefined {
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
