// Types of a contract from its ABI. Compiling is the test.

import { parseAbi } from 'viem'
import { useReadContract, useWriteContract } from '../src/chain.ts'
import { readContract, writeContract } from '../src/core.ts'
import type { Client } from '../src/index.ts'

declare const client: Client

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = parseAbi([
  'function total() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function set(uint256 to)',
  'function set(uint256 to, bool twice)',
])

export async function known(): Promise<void> {
  const balance: bigint | undefined = await readContract(client, {
    address,
    abi,
    functionName: 'balanceOf',
    args: [address],
  })
  // @ts-expect-error the result is a bigint
  const wrong: string | undefined = await readContract(client, {
    address,
    abi,
    functionName: 'balanceOf',
    args: [address],
  })
  // @ts-expect-error there is no such function
  await readContract(client, { address, abi, functionName: 'balance' })
  // @ts-expect-error its argument is missing
  await readContract(client, { address, abi, functionName: 'balanceOf' })
  // @ts-expect-error it changes something
  await readContract(client, { address, abi, functionName: 'transfer', args: [address, 1n] })
  await readContract(client, { address, abi, functionName: 'transfer(address,uint256)', args: [address, 1n] })
  await readContract(client, { address, abi, functionName: 'total' })
  await readContract(client, { address, abi, functionName: 'balanceOf', args: { owner: address } })
  // @ts-expect-error there is no argument of this name
  await readContract(client, { address, abi, functionName: 'balanceOf', args: { ower: address } })
  // @ts-expect-error it changes nothing
  await writeContract(client, { address, abi, functionName: 'total' })
  // @ts-expect-error its arguments are missing
  await writeContract(client, { address, abi, functionName: 'transfer' })
  // @ts-expect-error the second argument is a bigint
  await writeContract(client, { address, abi, functionName: 'transfer', args: [address, true] })
  await writeContract(client, { address, abi, functionName: 'transfer', args: { to: address, value: '5' } })
  await writeContract(client, { address, abi, functionName: 'set(uint256,bool)', args: [1, true], value: 5n })
  const { hash } = (await writeContract(client, { address, abi, functionName: 'set', args: [1n] })) ?? {}
  const text: string | undefined = hash
  return void [balance, wrong, text]
}

/** An ABI that is read from a file says less. */
export async function unknown(loaded: readonly unknown[]): Promise<unknown> {
  const answer: unknown = await readContract(client, { address, abi: loaded, functionName: 'any', args: [1, 'two'] })
  return answer
}

export function useKnown(): bigint {
  const balance = useReadContract({ address, abi, functionName: 'balanceOf', args: [address] })
  // @ts-expect-error its argument is missing
  useReadContract({ address, abi, functionName: 'balanceOf' })
  // @ts-expect-error a number is no address
  useReadContract({ address, abi, functionName: 'balanceOf', args: [5n] })
  // @ts-expect-error one argument too many
  useReadContract({ address, abi, functionName: 'balanceOf', args: [address, 1n] })
  // @ts-expect-error it changes something
  useReadContract({ address, abi, functionName: 'transfer', args: [address, 1n] })
  useReadContract({ address, abi, functionName: 'total' }).data satisfies bigint | undefined
  useReadContract(undefined)
  const { writeContract, status } = useWriteContract()
  // @ts-expect-error there is no such function
  if (status === 'idle') void writeContract({ address, abi, functionName: 'mint' })
  return balance.status === 'success' ? balance.data : 0n
}
