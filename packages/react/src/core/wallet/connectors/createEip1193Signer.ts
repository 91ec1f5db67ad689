import { ProviderError } from '../../errors/walletErrors.ts'
import type { Eip1193Provider, Signer } from '../../state/Connector.ts'
import { missingWallet } from '../proof/missingWallet.ts'

/**
 * Makes a signer of an EVM wallet that speaks EIP-1193, such as `window.ethereum`.
 *
 * @example
 * await signInWithWallet(client, { signer: createEip1193Signer(window.ethereum) })
 */
export function createEip1193Signer(provider: Eip1193Provider | undefined): Signer {
  async function call(method: string, params?: readonly unknown[]): Promise<unknown> {
    if (typeof provider?.request !== 'function') throw missingWallet()
    try {
      return await provider.request(params ? { method, params } : { method })
    } catch (cause) {
      throw new ProviderError(cause)
    }
  }

  return {
    namespace: 'eip155',
    async getAccount({ prompt = true } = {}) {
      const accounts = await call(prompt ? 'eth_requestAccounts' : 'eth_accounts')
      const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined
      if (typeof address !== 'string') return undefined
      return { address, chainId: Number(await call('eth_chainId')) }
    },
    async signMessage(text, { address }) {
      const signature = await call('personal_sign', [toHex(text), address])
      return typeof signature === 'string' ? signature : undefined
    },
  }
}

// In hexadecimal, for a text that happens to begin with 0x would be taken for bytes.
function toHex(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
