import { askNode } from './askNode.ts'
import type { Chain } from './Chain.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'

/** What a node might do with accounts of its own is not for a connection that can only read. */
const writing = /^(personal_|wallet_|eth_(sign|send(?!RawTransaction$)))/

/** An EIP-1193 provider that reads from nodes, and has no accounts. */
export function createRpcProvider(
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
  first: number,
  fetch: typeof globalThis.fetch = (...call) => globalThis.fetch(...call),
): Eip1193Provider {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  let chainId = first

  function switchChain(params: readonly unknown[] | undefined): null {
    const wanted = Number(Object(params?.[0]).chainId)
    if (!chains.some(({ id }) => id === wanted)) throw refusal(4902, `There is no node for the chain ${wanted}.`)
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
      if (!url) throw refusal(4901, `There is no node for the chain ${chainId}.`)
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
