import type { Abi } from 'viem'
import type { Hex } from '../nodes/Chain.ts'
import type { Decoded } from './decodeLog.ts'
import { standardAbi } from './standardAbi.ts'

/** A call in words, by an ABI or by those of the token standards; undefined where none fits. */
export async function decodeCall(input: Hex, abi: Abi = standardAbi): Promise<Decoded | undefined> {
  if (input.length < 10) return undefined
  const { decodeFunctionData, toFunctionSelector, toFunctionSignature } = await import('viem')
  for (const item of abi) {
    if (item.type !== 'function' || toFunctionSelector(item) !== input.slice(0, 10)) continue
    try {
      const { args = [] } = decodeFunctionData({ abi: [item] as Abi, data: input })
      const params = item.inputs.map(({ name = '', type }, place) => ({ name, type, value: args[place] }))
      return { label: item.name, signature: toFunctionSignature(item), params }
    } catch {}
  }
  return undefined
}
