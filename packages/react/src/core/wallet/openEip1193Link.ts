import { ProviderError } from '../errors/ProviderError.ts'
import { sleep } from '../sleep.ts'
import type { ConnectOptions, WalletLink } from './Connector.ts'
import { createEip1193Signer } from './createEip1193Signer.ts'
import { defaultChainId } from './defaultChainId.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'
import { readAccounts } from './readAccounts.ts'
import { watchEip1193 } from './watchEip1193.ts'

const alreadyAsking = -32002

/**
 * Opens a connection to an EVM wallet. With `prompt: false` it opens no window, and there is no connection where the
 * wallet shares no account.
 */
export async function openEip1193Link(
  provider: Eip1193Provider,
  { prompt, ...options }: ConnectOptions & { readonly prompt: boolean },
): Promise<WalletLink | undefined> {
  const call = (method: string, params?: readonly unknown[]) =>
    provider.request(params ? { method, params } : { method }).catch((cause) => {
      throw new ProviderError(cause)
    })
  const listAccounts = async () => readAccounts(await call('eth_accounts'))

  async function ask(): Promise<readonly string[]> {
    try {
      return readAccounts(await call('eth_requestAccounts'))
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== alreadyAsking) throw error
    }
    // Asking again would only be refused again: whether the open window was answered is looked up without a prompt.
    options.onPending?.()
    while (!options.signal?.aborted) {
      const accounts = await listAccounts()
      if (accounts.length > 0) return accounts
      await sleep(500, options.signal)
    }
    return []
  }

  const accounts = await (prompt ? ask() : listAccounts())
  if (!prompt && accounts.length === 0) return undefined
  let chainId = Number(await call('eth_chainId')) || defaultChainId
  if (prompt && options.chainId !== undefined && options.chainId !== chainId && !options.signal?.aborted) {
    const wanted = [{ chainId: `0x${options.chainId.toString(16)}` }]
    // A hint: a wallet that stays where it is, is connected all the same.
    const isThere = await call('wallet_switchEthereumChain', wanted).then(
      () => true,
      () => false,
    )
    if (isThere) chainId = options.chainId
  }
  return {
    accounts,
    chainId,
    provider,
    signer: createEip1193Signer(provider),
    watch: (listener) => watchEip1193(provider, listener),
    async disconnect() {
      // Many wallets do not know it; the page has forgotten them all the same.
      await call('wallet_revokePermissions', [{ eth_accounts: {} }]).catch(() => undefined)
    },
  }
}
