import type { SolanaKey } from './PageCall.ts'

export type SolanaSecret = SolanaKey & { readonly sign: (message: Uint8Array<ArrayBuffer>) => Promise<number[]> }

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A true Ed25519 key, by the platform's own cryptography. */
export async function createSolanaKey(): Promise<SolanaSecret> {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  const publicKey = [...new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))]
  return {
    address: toBase58(publicKey),
    publicKey,
    sign: async (message) => [...new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message))],
  }
}

function toBase58(bytes: readonly number[]): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet[Number(rest % 58n)] + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(Math.max(zeros, 0)) + text
}
