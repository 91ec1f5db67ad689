import { CountersignError } from '@countersign/protocol'
import { encodeBase64 } from './encodeBase64.ts'
import type { Signer } from './Signer.ts'
import type { StandardWallet } from './StandardWallet.ts'

/** Makes a signer of a Solana wallet. What the wallet says it signed must be what it was given (S28). */
export function createSolanaSigner(wallet: StandardWallet): Signer {
  const { features } = wallet
  return {
    namespace: 'solana',
    async getAccount({ prompt = true } = {}) {
      if (prompt && wallet.accounts.length === 0) await features['standard:connect'].connect()
      const address = wallet.accounts[0]?.address
      return address === undefined ? undefined : { address, chainId: 'mainnet' }
    },
    async signMessage(text, { address }) {
      const account = wallet.accounts.find((one) => one.address === address)
      const feature = features['solana:signMessage']
      if (!account || !feature) return undefined
      const message = new TextEncoder().encode(text)
      const [signed] = await feature.signMessage({ account, message })
      if (!signed) return undefined
      if (!isOf(signed.signedMessage, message)) {
        throw new CountersignError('OperationForbidden', 'The wallet signed another text than the one it was given.', {
          details: 'What it signed was not sent. Another version of the wallet may do better.',
        })
      }
      return encodeBase64(signed.signature)
    },
  }
}

/** The text itself, or the text at the end of the envelope that hardware wallets sign (it begins with 0xff). */
function isOf(signed: Uint8Array, message: Uint8Array): boolean {
  const start = signed.length - message.length
  if (start !== 0 && (start < 0 || signed[0] !== 0xff)) return false
  return message.every((byte, index) => byte === signed[start + index])
}
