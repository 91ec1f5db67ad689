import { instantiateSecp256k1 } from '@bitauth/libauth'
import { hashPersonalMessage } from './hashPersonalMessage.mjs'
import { readAddress } from './readAddress.mjs'

const curve = await instantiateSecp256k1()

/**
 * The address whose key signed the text, in lower case.
 *
 * @param {string} text
 * @param {string} signature
 */
export function recoverAddress(text, signature) {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recoveryId = /** @type {import('@bitauth/libauth').RecoveryId} */ ((bytes[64] ?? 0) - 27)
  const key = curve.recoverPublicKeyUncompressed(bytes.subarray(0, 64), recoveryId, hashPersonalMessage(text))
  return typeof key === 'string' ? undefined : readAddress(key)
}
