import { generateKeyPairSync, sign } from 'node:crypto'
import type { Signer } from '../core/state/Connector.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A Solana account with a true Ed25519 key. */
export function createSolanaSigner(): Signer & { readonly address: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = toBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  return {
    namespace: 'solana',
    address,
    getAccount: async () => ({ address, chainId: 'mainnet' }),
    signMessage: async (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64'),
  }
}

function toBase58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet[Number(rest % 58n)] + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(Math.max(zeros, 0)) + text
}
