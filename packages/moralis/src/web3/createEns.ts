import { callContract } from '@countersign/react/adapterChain'
import type { Client, Eip1193Provider } from '@countersign/react/core'
import { type Address, namehash, parseAbi, zeroAddress } from 'viem'
import { normalize } from 'viem/ens'
import type { Loose } from '../Loose.ts'

const registry = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function addr(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
  'function text(bytes32 node, string key) view returns (string)',
])

/** Names of ENS, asked at the registry by the wallet's own node. A chain without it knows no names. */
export function createEns(client: Client, provider: Eip1193Provider) {
  const read = (address: Address, functionName: string, ...args: unknown[]): Promise<Loose> =>
    callContract(client, { provider, address, abi, functionName, args })

  async function findResolver(name: string): Promise<Address | undefined> {
    const known = await provider.request({ method: 'eth_getCode', params: [registry, 'latest'] })
    if (!known || known === '0x') return undefined
    const resolver = await read(registry, 'resolver', namehash(name))
    return resolver === zeroAddress ? undefined : resolver
  }

  async function resolveName(given: string): Promise<string | null> {
    if (/^0x[0-9a-f]{40}$/i.test(given)) return given
    const name = normalize(given)
    const resolver = await findResolver(name)
    const address = resolver && (await read(resolver, 'addr', namehash(name)))
    return address && address !== zeroAddress ? address : null
  }

  async function lookupAddress(address: string): Promise<string | null> {
    const reverse = `${address.slice(2).toLowerCase()}.addr.reverse`
    const resolver = await findResolver(reverse)
    const name: string = resolver ? await read(resolver, 'name', namehash(reverse)) : ''
    // Anyone can claim a name for an address; only the name's own record proves it.
    const back = name && (await resolveName(name).catch(() => null))
    return back && back.toLowerCase() === address.toLowerCase() ? name : null
  }

  /** A text record: `avatar`, `email`, `url` … */
  async function getText(given: string, key: string): Promise<string | null> {
    const name = normalize(given)
    const resolver = await findResolver(name)
    return (resolver && (await read(resolver, 'text', namehash(name), key))) || null
  }

  async function describeName(name: string) {
    const [address, avatar, email, url] = await Promise.all([
      resolveName(name),
      getText(name, 'avatar'),
      getText(name, 'email'),
      getText(name, 'url'),
    ])
    return { address, avatar, email, url }
  }
  return { resolveName, lookupAddress, describeName }
}
