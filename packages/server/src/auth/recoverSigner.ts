import type { RecoveryId } from '@bitauth/libauth'
// By its file: the package as a whole is 150 files, most of them about Bitcoin.
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { keccak256 } from './keccak256.ts'

/** Compiled once, for the first signature; a recovery then costs a tenth of what the pure JavaScript ones cost. */
let curve: ReturnType<typeof instantiateSecp256k1> | undefined

/** The address whose key signed the text (EIP-191), in lower case; `undefined` where no key could have. */
export async function recoverSigner(text: string, signature: Uint8Array): Promise<string | undefined> {
  const parts = readSignature(signature)
  if (!parts) return undefined
  curve ??= instantiateSecp256k1()
  const secp256k1 = await curve
  const key = secp256k1.recoverPublicKeyUncompressed(parts.compact, parts.recovery, hashPersonalMessage(text))
  if (typeof key === 'string') return undefined
  return `0x${Buffer.from(keccak256(key.subarray(1)).subarray(12)).toString('hex')}`
}

/** What `personal_sign` signs. */
export function hashPersonalMessage(text: string): Uint8Array {
  const body = Buffer.from(text, 'utf8')
  return keccak256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${body.length}`, 'utf8'), body]))
}

/** 65 bytes with v of 0, 1, 27 or 28; or 64 bytes with v in the top bit (EIP-2098). */
function readSignature(signature: Uint8Array): { compact: Uint8Array; recovery: RecoveryId } | undefined {
  if (signature.length === 65) {
    const v = signature[64] as number
    const recovery = v >= 27 ? v - 27 : v
    return recovery === 0 || recovery === 1 ? { compact: signature.slice(0, 64), recovery } : undefined
  }
  if (signature.length !== 64) return undefined
  const compact = signature.slice()
  const top = compact[32] as number
  compact[32] = top & 0x7f
  return { compact, recovery: (top >> 7) as RecoveryId }
}
