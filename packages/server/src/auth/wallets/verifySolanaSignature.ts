import { createPublicKey, verify } from 'node:crypto'
import { readBase58 } from '../../encoding/base58.ts'

/** The fixed front of an Ed25519 key in DER form; the 32 bytes of the address follow. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Verifies a Solana signature of the text, plain or in the envelope of hardware wallets. */
export function verifySolanaSignature(address: string, text: string, signature: string): boolean {
  const key = address.length <= 44 ? readBase58(address) : undefined
  const bytes = readSignature(signature)
  if (key?.length !== 32 || bytes?.length !== 64) return false
  if (!isSoundPoint(key) || !isSoundPoint(bytes.subarray(0, 32))) return false
  const publicKey = createPublicKey({ key: Buffer.concat([derPrefix, key]), format: 'der', type: 'spki' })
  const message = Buffer.from(text, 'utf8')
  return [message, envelope(message)].some((signed) => verify(null, signed, publicKey, bytes))
}

const prime = 2n ** 255n - 19n
const orderEight = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
/** The y of the eight points of small order; both signs of x share one. */
const smallOrder = new Set([0n, 1n, prime - 1n, orderEight, prime - orderEight])

/**
 * Accepts only the canonical encoding of a point that a key pair can produce. Points of small order as key or R have
 * valid signatures that nobody made, and the library accepts them. Solana's own programs reject them, too.
 */
function isSoundPoint(bytes: Uint8Array): boolean {
  const bigEndian = Buffer.from(bytes).reverse()
  bigEndian[0] = (bigEndian[0] as number) & 0x7f
  const y = BigInt(`0x${bigEndian.toString('hex')}`)
  return y < prime && !smallOrder.has(y)
}

/** Wallets give 64 bytes; clients write them in base64, base58 or hexadecimal. */
function readSignature(signature: string): Buffer | undefined {
  if (/^(0x)?[0-9a-fA-F]{128}$/.test(signature)) return Buffer.from(signature.replace('0x', ''), 'hex')
  if (/^[A-Za-z0-9+/]{86}==$/.test(signature)) return Buffer.from(signature, 'base64')
  return signature.length <= 90 ? readBase58(signature) : undefined
}

/** Off-chain message, version 0, printable ASCII. Its first byte can begin no transaction. */
function envelope(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(message.length & 0xffff)
  return Buffer.concat([Buffer.from([0xff]), Buffer.from('solana offchain'), Buffer.from([0, 0]), length, message])
}
