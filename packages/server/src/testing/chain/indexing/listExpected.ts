import { type Address, encodeFunctionData } from 'viem'
import type { Chain } from '../Chain.ts'
import type { Traffic } from '../createTraffic.ts'
import { getArtifact } from '../getArtifact.ts'
import { listTransfers } from './listTransfers.ts'

/** Expected result of `listKept`: every transfer from the chain's own logs, and holders read from the contracts. */
export async function listExpected(chain: Chain, { pictures, badges, people, minted }: Traffic): Promise<string[]> {
  const [Pictures, Badges] = [getArtifact('Pictures').abi, getArtifact('Badges').abi]
  const read = async (to: Address, data: string) =>
    String(await chain.request('eth_call', [{ to, data }, 'latest']).catch(() => `0x${'0'.repeat(64)}`))
  const held: string[] = []
  for (let id = 0; id < minted(); id++) {
    const data = encodeFunctionData({ abi: Pictures, functionName: 'ownerOf', args: [BigInt(id)] })
    const owner = `0x${(await read(pictures, data)).slice(26)}`
    if (!/^0x0*$/.test(owner)) held.push(`${owner} holds ${pictures} ${id} 1`)
  }
  for (const person of people)
    for (let id = 0; id < 4; id++) {
      const data = encodeFunctionData({ abi: Badges, functionName: 'balanceOf', args: [person, BigInt(id)] })
      const amount = BigInt(await read(badges, data))
      if (amount > 0n) held.push(`${person} holds ${badges} ${id} ${amount}`)
    }
  return [...held, ...(await listTransfers(chain))].sort()
}
