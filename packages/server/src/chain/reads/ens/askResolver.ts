import type { CallResult, Chain, Hex } from '../../nodes/Chain.ts'
import type { Resolver } from './findResolver.ts'

/** Asks a resolver of a name; one of a parent by `resolve(bytes,bytes)`. Names that live elsewhere have no answer here. */
export async function askResolver(
  chain: Chain,
  { address, name, wildcard }: Resolver,
  call: Hex,
  block: number,
): Promise<CallResult | undefined> {
  if (!wildcard) return (await chain.multicall([{ to: address, data: call }], block))[0]
  const { decodeAbiParameters, encodeFunctionData, parseAbi, toHex } = await import('viem')
  const { packetToBytes } = await import('viem/ens')
  const abi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)'])
  const data = encodeFunctionData({ abi, args: [toHex(packetToBytes(name)), call] })
  const [result] = await chain.multicall([{ to: address, data }], block)
  if (!result?.success || result.data.length < 130) return undefined
  try {
    const [answer] = decodeAbiParameters([{ type: 'bytes' }], result.data)
    return { success: true, data: answer }
  } catch {
    return undefined
  }
}
