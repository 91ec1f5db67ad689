import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import type { Ask } from './createJournal.ts'

/** Reads a contract function. */
export async function readValue(
  request: Ask,
  { abi, address, name, args }: { abi: Abi; address: Address; name: string; args: readonly unknown[] },
): Promise<unknown> {
  const data = encodeFunctionData({ abi, functionName: name, args })
  const result = (await request('eth_call', [{ to: address, data }, 'latest'])) as Hex
  return decodeFunctionResult({ abi, functionName: name, args, data: result })
}
