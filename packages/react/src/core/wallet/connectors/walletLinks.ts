import { CountersignError } from '@countersign/protocol'
import type { StorageAdapter } from '../../client/Client.ts'
import { sleep, ValidationError } from '../../errors/errors.ts'
import { ProviderError } from '../../errors/walletErrors.ts'
import { openStorage } from '../../platform/storage.ts'
import type {
  Chain,
  ConnectOptions,
  Eip1193Provider,
  SignInFields,
  WalletConnection,
  WalletEvent,
} from '../../state/Connector.ts'
import { waitForEthereum } from '../discovery/waitForEthereum.ts'
import { createEip1193Signer } from './createEip1193Signer.ts'
import { readAccounts } from './readAccounts.ts'

/** Methods refused on a read-only connection: a node might run them with accounts of its own. */
const writing = /^(personal_|wallet_|eth_(sign|send(?!RawTransaction$)))/

const key = 'Countersign/demoWallet'

/** The demo wallet with the key that is kept for it, or with a new one. */
async function openDemoProvider(
  storage: StorageAdapter | undefined,
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
): Promise<Eip1193Provider> {
  const { createDemoProvider } = await import('./createDemoProvider.ts').catch((cause) => {
    throw new CountersignError('OtherCause', 'The demo wallet could not be loaded.', {
      cause,
      details: 'It needs the package viem: npm install viem',
    })
  })
  const store = storage ?? openStorage()
  // A key that cannot be stored lasts as long as the page.
  const kept = await Promise.resolve()
    .then(() => store.getItem(key))
    .catch(() => null)
  const known = chains.length > 0 ? chains : [{ id: defaultChainId, rpcUrls: [] }]
  const made = createDemoProvider(kept, createRpcProvider(known, known[0]?.id ?? defaultChainId))
  await Promise.resolve()
    .then(() => store.setItem(key, made.privateKey))
    .catch(() => undefined)
  return made.provider
}

/** A connection that reads chains by their nodes and has no account. */
function openNetworkLink(
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
  first: number | undefined = chains[0]?.id,
): WalletConnection {
  if (first === undefined || !chains.some(({ id }) => id === first)) {
    throw new ValidationError(`The connector network has no node for chain ${first}.`)
  }
  const provider = createRpcProvider(chains, first)
  return {
    accounts: [],
    chainId: first,
    provider,
    watch: (listener) => watchEip1193(provider, listener),
    disconnect: async () => undefined,
  }
}

/** Connection code of connectors in one chunk. */
export const walletLinks = { openDemoProvider, openEip1193Link, openNetworkLink, waitForEthereum }

/** An EIP-1193 provider that reads from nodes, and has no accounts. */
function createRpcProvider(
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
  first: number,
  fetch: typeof globalThis.fetch = (...call) => globalThis.fetch(...call),
): Eip1193Provider {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  let chainId = first

  function switchChain(params: readonly unknown[] | undefined): null {
    const wanted = Number(Object(params?.[0]).chainId)
    if (!chains.some(({ id }) => id === wanted)) throw refusal(4902, `There is no node for chain ${wanted}.`)
    chainId = wanted
    for (const listener of listeners.get('chainChanged') ?? []) listener(toHex(wanted))
    return null
  }

  return {
    async request({ method, params }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return []
      if (method === 'eth_chainId') return toHex(chainId)
      if (method === 'wallet_switchEthereumChain') return switchChain(params)
      if (writing.test(method)) throw refusal(4200, `${method} needs a wallet; this connection can only read.`)
      const url = chains.find(({ id }) => id === chainId)?.rpcUrls[0]
      if (!url) throw refusal(4901, `There is no node for chain ${chainId}.`)
      return askNode(url, { method, params }, fetch)
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }
}

function toHex(id: number): string {
  return `0x${id.toString(16)}`
}

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

const alreadyAsking = -32002
const rejected = 4001

/**
 * Opens a connection to an EVM wallet. With `prompt: false` it opens no window, and returns undefined if the wallet
 * shares no account.
 */
export async function openEip1193Link(
  provider: Eip1193Provider,
  { prompt, ...options }: ConnectOptions & { readonly prompt: boolean },
): Promise<WalletConnection | undefined> {
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
    // Another request would be refused again: the state of the open window is polled without a prompt.
    options.onPending?.()
    while (!options.signal?.aborted) {
      const accounts = await listAccounts()
      if (accounts.length > 0) return accounts
      await sleep(500, options.signal)
    }
    return []
  }

  /** One prompt for both (ERC-7846). A wallet without support fails immediately, and is asked in the usual way. */
  async function askAtOnce(fields: SignInFields) {
    const chainId = toHex(Number(await call('eth_chainId')) || defaultChainId)
    const { domain, uri, statement, nonce, issuedAt, expirationTime } = fields
    const wish = { version: '1', domain, uri, statement, nonce, chainId, issuedAt, expirationTime }
    try {
      const answer = await call('wallet_connect', [{ version: '1', capabilities: { signInWithEthereum: wish } }])
      const given: readonly unknown[] = Object(Object(answer).accounts)
      const accounts = readAccounts(Array.isArray(given) ? given.map((one) => Object(one).address) : [])
      const [address] = accounts
      const { message, signature } = Object(Object(Object(given[0]).capabilities).signInWithEthereum)
      if (address === undefined) return undefined
      const isSigned = typeof message === 'string' && typeof signature === 'string'
      return { accounts, ...(isSigned && { signed: { address, message, signature } }) }
    } catch (error) {
      if (error instanceof ProviderError && error.code === rejected) throw error
      return undefined
    }
  }

  const atOnce = prompt && options.signIn ? await askAtOnce(options.signIn) : undefined
  const accounts = atOnce?.accounts ?? (await (prompt ? ask() : listAccounts()))
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
    ...(atOnce?.signed && { signed: atOnce.signed }),
    signer: createEip1193Signer(provider),
    watch: (listener) => watchEip1193(provider, listener),
    async disconnect() {
      // Many wallets do not know it; the page has forgotten them all the same.
      await call('wallet_revokePermissions', [{ eth_accounts: {} }]).catch(() => undefined)
    },
  }
}

/** Said when MetaMask loses its own node for a moment; the wallet is still there. */
const passing = 'MetaMask: Disconnected from chain. Attempting to connect.'

/** Follows the events of an EVM wallet. */
export function watchEip1193(provider: Eip1193Provider, listener: (event: WalletEvent) => void): () => void {
  const showChain = (chainId: unknown) => {
    const id = Number(chainId)
    if (Number.isSafeInteger(id) && id > 0) listener({ type: 'chainChanged', chainId: id })
  }
  const listeners: Record<string, (payload: unknown) => void> = {
    accountsChanged: (accounts) => listener({ type: 'accountsChanged', accounts: readAccounts(accounts) }),
    chainChanged: showChain,
    connect: (info) => showChain(Object(info).chainId),
    disconnect(reason) {
      if (Object(reason).message !== passing) listener({ type: 'disconnected', reason })
    },
  }
  for (const [event, act] of Object.entries(listeners)) provider.on?.(event, act)
  return () => {
    for (const [event, act] of Object.entries(listeners)) provider.removeListener?.(event, act)
  }
}

let count = 0

/** One JSON-RPC call to a node by HTTP. Its error keeps code and data. */
export async function askNode(
  url: string,
  { method, params = [] }: { readonly method: string; readonly params?: readonly unknown[] },
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const answer: { result?: unknown; error?: { code?: number; message?: string; data?: unknown } } | undefined =
    await response.json().catch(() => undefined)
  if (answer?.error) throw Object.assign(new Error(answer.error.message), answer.error)
  if (!response.ok || !answer) {
    // -32005 of EIP-1474: a limit is exceeded.
    const retryAfter = Number(response.headers.get('Retry-After')) || undefined
    const code = response.status === 429 ? -32005 : -32603
    throw Object.assign(new Error(`The node responded with ${response.status}.`), { code, retryAfter })
  }
  return answer.result
}

/** Default chain. */
export const defaultChainId = 1
