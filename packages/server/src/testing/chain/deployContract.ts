import type { Address } from 'viem'
import type { Chain } from './Chain.ts'
import { createDeployerClient } from './createDeployerClient.ts'
import type { Artifact } from './getArtifact.ts'

/** Deploys a contract and returns its address. */
export async function deployContract(
  chain: Chain,
  { abi, bytecode }: Artifact,
  args: readonly unknown[] = [],
): Promise<Address> {
  const client = createDeployerClient(chain)
  const hash = await client.deployContract({ abi, bytecode, args })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The transaction made no contract.')
  return contractAddress
}
