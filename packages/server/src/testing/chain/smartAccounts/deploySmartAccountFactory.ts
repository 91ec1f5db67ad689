import { getContractAddress, isAddressEqual } from 'viem'
import type { Chain } from '../Chain.ts'
import { deployContract } from '../deployContract.ts'
import { deployer } from '../deployer.ts'
import { getArtifact } from '../getArtifact.ts'

/** The factory is the first contract of every chain, and so has one address on all of them. */
export const smartAccountFactory = getContractAddress({ from: deployer.address, nonce: 0n })

export async function deploySmartAccountFactory(chain: Chain): Promise<void> {
  const address = await deployContract(chain, getArtifact('SmartAccountFactory'))
  if (!isAddressEqual(address, smartAccountFactory)) throw new Error(`The factory is at ${address}.`)
}
