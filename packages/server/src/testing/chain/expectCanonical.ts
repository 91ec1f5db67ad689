import { type Address, encodeFunctionData } from 'viem'
import { expect } from 'vitest'
import type { Database } from '../../db/Database.ts'
import type { Chain } from './Chain.ts'
import type { Traffic } from './createTraffic.ts'
import { getArtifact } from './getArtifact.ts'
import { listIndexed } from './listIndexed.ts'
import { listTransfers } from './listTransfers.ts'

/** Waits until the index holds what the chain tells, row by row, and who holds what as the contracts tell it. */
export async function expectCanonical(db: Database, chain: Chain, traffic: Traffic, timeout = 15_000): Promise<void> {
  const told = await listTransfers(chain)
  await expect.poll(async () => (await listIndexed(db, chain.chainId)).length, { timeout }).toBe(told.length)
  await expect.poll(() => listIndexed(db, chain.chainId), { timeout }).toEqual(told)
  const rows = await db.query<{ line: string }>({
    text: `select concat_ws(' ', token, id, owner, amount) as line from countersign.chain_holdings
           where chain = $1 and amount <> 0`,
    values: [chain.chainId],
  })
  expect(rows.map(({ line }) => line).sort()).toEqual(await listHeld(chain, traffic))
}

async function listHeld(chain: Chain, { pictures, badges, people, minted }: Traffic): Promise<string[]> {
  const [Pictures, Badges] = [getArtifact('Pictures').abi, getArtifact('Badges').abi]
  const read = async (to: Address, data: string) =>
    String(await chain.request('eth_call', [{ to, data }, 'latest']).catch(() => `0x${'0'.repeat(64)}`))
  const held: string[] = []
  for (let id = 0; id < minted(); id++) {
    const data = encodeFunctionData({ abi: Pictures, functionName: 'ownerOf', args: [BigInt(id)] })
    const owner = `0x${(await read(pictures, data)).slice(26)}`
    if (!/^0x0*$/.test(owner)) held.push(`${pictures} ${id} ${owner} 1`)
  }
  for (const person of people)
    for (let id = 0; id < 4; id++) {
      const data = encodeFunctionData({ abi: Badges, functionName: 'balanceOf', args: [person, BigInt(id)] })
      const amount = BigInt(await read(badges, data))
      if (amount > 0n) held.push(`${badges} ${id} ${person} ${amount}`)
    }
  return held.sort()
}
