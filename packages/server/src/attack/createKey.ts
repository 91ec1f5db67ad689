import { randomBytes } from 'node:crypto'
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { checksumAddress, keccak256 } from '../auth/wallets/SignInMessage.ts'

export type Key = { address: string; sign(message: string): string }

/** A new wallet, which signs texts as `personal_sign` does. */
export async function createKey(): Promise<Key> {
  const secp256k1 = await instantiateSecp256k1()
  const secret = randomBytes(32)
  const point = secp256k1.derivePublicKeyUncompressed(secret)
  if (typeof point === 'string') throw new Error(point)
  const address = checksumAddress(`0x${Buffer.from(keccak256(point.slice(1)).slice(-20)).toString('hex')}`)
  return {
    address,
    sign(message) {
      const bytes = Buffer.from(message)
      const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`)
      const made = secp256k1.signMessageHashRecoverableCompact(secret, keccak256(Buffer.concat([prefix, bytes])))
      if (typeof made === 'string') throw new Error(made)
      const last = (27 + made.recoveryId).toString(16)
      return `0x${Buffer.from(made.signature).toString('hex')}${last}`
    },
  }
}
