import { randomBytes, randomUUID } from 'node:crypto'
import { instantiateSecp256k1 } from '@bitauth/libauth'
import { checksumAddress } from './checksumAddress.mjs'
import { hashPersonalMessage } from './hashPersonalMessage.mjs'
import { readAddress } from './readAddress.mjs'

const curve = await instantiateSecp256k1()

/**
 * A key, and the one browser that it lives in.
 *
 * @returns {import('../types.d.ts').Wallet}
 */
export function createWallet() {
  const key = randomBytes(32)
  const publicKey = curve.derivePublicKeyUncompressed(key)
  if (typeof publicKey === 'string') throw new Error(publicKey)
  return {
    address: checksumAddress(readAddress(publicKey)),
    installationId: randomUUID(),
    sign: (text) => {
      const signed = curve.signMessageHashRecoverableCompact(key, hashPersonalMessage(text))
      if (typeof signed === 'string') throw new Error(signed)
      return `0x${Buffer.from(signed.signature).toString('hex')}${(27 + signed.recoveryId).toString(16)}`
    },
  }
}
