import { type Client, useClient } from '@countersign/react'
import { useChains } from '@countersign/react/chain'
import { request } from '@countersign/react/core'
import { useEffect, useSyncExternalStore } from 'react'

type NameOf = (address: string) => string | undefined

/** Names by lower-case address; empty if an address has none. */
const known = new Map<string, string>()
const wanted = new Set<string>()
const listeners = new Set<() => void>()
let nameOf: NameOf = () => undefined
let isGathering = false

/** Maximum of one request. */
const most = 50
/** Time (ms) in which rows of a list ask together. */
const gathering = 30

/** The chain with the name service, if the operator named a node for it: public nodes must not learn who looks at whom. */
export function useNameChain(): number | undefined {
  const chains = useChains()
  const isOwn = ({ name, aliases, head }: { name: string; aliases: readonly string[]; head?: unknown }) =>
    head !== undefined && [name, ...aliases].includes('eth')
  return chains.status === 'success' ? chains.data.find(isOwn)?.id : undefined
}

/** ENS names of addresses, as the server has verified them in both directions. */
export function useNames(addresses: readonly string[]): NameOf {
  const client = useClient()
  const chain = useNameChain()
  const list = addresses.join()
  useEffect(() => {
    if (chain !== undefined) want(client, chain, list.split(','))
  }, [client, chain, list])
  return useSyncExternalStore(subscribe, () => nameOf)
}

function want(client: Client, chain: number, addresses: readonly string[]): void {
  for (const address of addresses) {
    const key = address.toLowerCase()
    if (/^0x[0-9a-f]{40}$/.test(key) && !known.has(key)) wanted.add(key)
  }
  if (wanted.size > 0 && !isGathering) askLater(client, chain)
}

function askLater(client: Client, chain: number): void {
  isGathering = true
  setTimeout(() => void ask(client, chain), gathering)
}

async function ask(client: Client, chain: number): Promise<void> {
  isGathering = false
  const addresses = [...wanted].slice(0, most)
  for (const address of addresses) wanted.delete(address)
  if (wanted.size > 0) askLater(client, chain)
  // Known from now on, so that no other row asks again.
  for (const address of addresses) known.set(address, '')
  try {
    const { result } = await request(client, 'listNames', { chain: String(chain), addresses: addresses.join() })
    for (const { address, name } of result) known.set(address, name)
    nameOf = (address) => known.get(address.toLowerCase()) || undefined
    for (const listener of listeners) listener()
  } catch {
    // Addresses are shown without names. The next screen asks again.
    for (const address of addresses) known.delete(address)
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
