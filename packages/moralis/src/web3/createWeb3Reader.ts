import type { Client, Eip1193Provider, WalletState } from '@countersign/react/core'
import type { Loose } from '../Loose.ts'
import { loadOnChain } from './loadOnChain.ts'
import type { MoralisSigner, MoralisWeb3Provider } from './MoralisWeb3Provider.ts'

/** Wallet state of the older context. */
export type Web3State = {
  readonly web3: MoralisWeb3Provider | null
  readonly isWeb3Enabled: boolean
  readonly chainId: string | null
  readonly account: string | null
  readonly network: string | null
  readonly connector: Loose
  readonly connectorType: string | null
  readonly provider: Loose
}

/** A library with its own Web3Provider, such as ethers 5. */
export type Web3Library = {
  readonly providers: { readonly Web3Provider: new (provider: Loose, network?: string) => Loose }
}

const none: Web3State = {
  web3: null,
  isWeb3Enabled: false,
  chainId: null,
  account: null,
  network: null,
  connector: null,
  connectorType: null,
  provider: null,
}

/** Reads the wallet's state as the older context had it. The same state gives the same result, `web3` included. */
export function createWeb3Reader(client: Client, library?: Web3Library): (state: WalletState) => Web3State {
  const known = new WeakMap<WalletState, Web3State>()
  const create = (provider: Eip1193Provider) =>
    library ? new library.providers.Web3Provider(provider, 'any') : createWeb3Provider(client, provider)
  let last: { readonly provider: Eip1193Provider; readonly chain: unknown; readonly web3: Loose } | undefined
  function findWeb3(provider: Eip1193Provider, chain: unknown): Loose {
    // A new one for another chain: a library's knowledge of the former chain is invalid.
    if (last?.provider !== provider || last.chain !== chain) last = { provider, chain, web3: create(provider) }
    return last.web3
  }
  return (state) => {
    if (state.status !== 'connected') return none
    const found = known.get(state)
    if (found) return found
    const { connector, provider, account, chainId } = state
    const read: Web3State = {
      web3: provider ? findWeb3(provider, chainId) : null,
      isWeb3Enabled: true,
      chainId: chainId === undefined ? null : toHex(chainId),
      account: account ? toAccount(account) : null,
      network: connector.namespace === 'eip155' ? 'evm' : connector.namespace,
      connector,
      connectorType: typeNames[connector.kind] ?? connector.kind,
      provider: provider ?? null,
    }
    known.set(state, read)
    return read
  }
}

const typeNames: Record<string, string> = { walletconnect: 'WalletConnect', magicLink: 'MagicLink' }

function toHex(chainId: number | string): string {
  return typeof chainId === 'number' ? `0x${chainId.toString(16)}` : chainId
}

/** EVM addresses in small letters, as older applications compare them. */
function toAccount(account: string): string {
  return account.startsWith('0x') ? account.toLowerCase() : account
}

const ofProvider =
  'send listAccounts getNetwork getBlockNumber getBalance getCode getStorageAt getTransactionCount getGasPrice getFeeData call estimateGas getBlock getLogs getTransaction getTransactionReceipt waitForTransaction resolveName lookupAddress'.split(
    ' ',
  )

const ofSigner =
  'getAddress getChainId getBalance getTransactionCount getGasPrice signMessage _signTypedData call estimateGas sendTransaction'.split(
    ' ',
  )

/**
 * The `web3` of the older context: an object in the shape of the Web3Provider of ethers 5, also for applications that
 * do not install ethers. Its methods are loaded on first use.
 */
function createWeb3Provider(client: Client, wallet: Eip1193Provider): MoralisWeb3Provider {
  const ask =
    (name: string) =>
    async (...args: Loose[]): Promise<Loose> => {
      const { createAnswers } = await loadOnChain()
      return createAnswers(client, wallet)[name]?.(...args)
    }
  const methods: Loose = Object.fromEntries(ofProvider.map((name) => [name, ask(name)]))
  const web3: MoralisWeb3Provider = {
    ...methods,
    _isProvider: true,
    provider: wallet,
    detectNetwork: methods.getNetwork,
    getSigner: (which) => createSigner(which ?? 0),
  }

  function createSigner(which: string | number): MoralisSigner {
    const acts: Loose = Object.fromEntries(
      ofSigner.map((name) => [name, (...args: Loose[]) => ask(`signer ${name}`)(which, ...args)]),
    )
    return { ...acts, _isSigner: true, provider: web3, connect: () => createSigner(which) }
  }
  return web3
}
