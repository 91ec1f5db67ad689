import { askNode, HelperError, show } from '@countersign/react/adapter'
import type { Chain, Eip1193Provider } from '@countersign/react/core'

/** The names that ethers 5 gives to chains. */
const networks: Readonly<Record<string, number>> = {
  homestead: 1,
  mainnet: 1,
  goerli: 5,
  sepolia: 11155111,
  holesky: 17000,
  classic: 61,
  classicMordor: 63,
  xdai: 100,
  matic: 137,
  maticmum: 80001,
  'matic-amoy': 80002,
  optimism: 10,
  'optimism-goerli': 420,
  'optimism-sepolia': 11155420,
  arbitrum: 42161,
  'arbitrum-goerli': 421613,
  'arbitrum-sepolia': 421614,
  bnb: 56,
  bnbt: 97,
}

/** The address of a node, the name of a chain, its number, or both. */
export type Network = string | number | { readonly chainId: number; readonly name?: string }

export type DefaultProviderOptions = {
  /** The nodes to choose from: those that the application configured, and no others. */
  readonly chains?: readonly (Pick<Chain, 'id' | 'rpcUrls'> & Partial<Chain>)[]
}

/**
 * A provider that reads a chain, by the name of the network (`homestead` when none is given), by its number, or by the
 * address of a node.
 *
 * @example
 * const provider = getDefaultProvider('homestead', { chains: [{ id: 1, rpcUrls: ['https://rpc.example.org'] }] })
 * const block = await provider.request({ method: 'eth_blockNumber' })
 */
export function getDefaultProvider(
  network: Network = 'homestead',
  { chains = [] }: DefaultProviderOptions = {},
): Eip1193Provider {
  const scheme = typeof network === 'string' ? network.match(/^([a-z][a-z0-9+.-]*):/i)?.[1] : undefined
  if (typeof network === 'string' && scheme) return openNode(network, scheme)
  const wanted = findChainId(network, chains)
  const url = chains.find(({ id }) => id === wanted)?.rpcUrls[0]
  if (!url) {
    const name = typeof network === 'object' ? `the chain ${network?.chainId}` : show(network)
    const details = wanted
      ? 'Add one to chains, or pass its URL.'
      : `Known networks: ${Object.keys(networks).join(', ')}.`
    throw new HelperError('unsupported getDefaultProvider network', 'NETWORK_ERROR', `No node for ${name}. ${details}`)
  }
  return openNode(url, url.slice(0, url.indexOf(':')))
}

function openNode(url: string, scheme: string): Eip1193Provider {
  const kind = scheme.toLowerCase()
  if (kind === 'ws' || kind === 'wss') return createSocketProvider(url)
  if (kind === 'http' || kind === 'https') return { request: (call) => askNode(url, call) }
  const details = `${show(url)} must start with http, https, ws or wss.`
  throw new HelperError('unsupported URL scheme', 'INVALID_ARGUMENT', details)
}

function findChainId(network: Network, chains: NonNullable<DefaultProviderOptions['chains']>): number | undefined {
  if (typeof network === 'number') return network
  if (typeof network === 'string') {
    if (Object.hasOwn(networks, network)) return networks[network]
    return chains.find(({ name }) => name?.toLowerCase() === network.toLowerCase())?.id
  }
  const { name = '', chainId } = Object(network)
  if (Object.hasOwn(networks, name) && networks[name] !== chainId) {
    const details = `${name} is chain ${networks[name]}, not ${chainId}.`
    throw new HelperError('network chainId mismatch', 'INVALID_ARGUMENT', details)
  }
  return chainId
}

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }

/** JSON-RPC by WebSocket. It connects when it is first asked, and again when it is asked after the connection was lost. */
function createSocketProvider(url: string): Eip1193Provider {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const waiting = new Map<number, Waiting>()
  let opening: Promise<WebSocket> | undefined
  let count = 0

  function open(): Promise<WebSocket> {
    opening ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(url)
      const fail = () => {
        const error = Object.assign(new Error(`The node at ${new URL(url).host} is not connected.`), { code: 4900 })
        opening = undefined
        reject(error)
        for (const { reject } of waiting.values()) reject(error)
        waiting.clear()
      }
      socket.addEventListener('open', () => resolve(socket))
      socket.addEventListener('error', fail)
      socket.addEventListener('close', fail)
      socket.addEventListener('message', ({ data }) => settle(data))
    })
    return opening
  }

  function settle(text: unknown): void {
    const { id, method, params, result, error } = readAnswer(text)
    if (method === 'eth_subscription') {
      for (const listener of listeners.get('message') ?? []) listener({ type: method, data: params })
    }
    const call = waiting.get(Number(id))
    if (!call) return
    waiting.delete(Number(id))
    if (error) call.reject(Object.assign(new Error(error.message), error))
    else call.resolve(result)
  }

  return {
    async request({ method, params = [] }) {
      const socket = await open()
      const id = ++count
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }
}

type Answer = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: string }
}

function readAnswer(text: unknown): Answer {
  try {
    return Object(JSON.parse(String(text)))
  } catch {
    return {}
  }
}
