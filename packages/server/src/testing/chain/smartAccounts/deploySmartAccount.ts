import type { Address } from 'viem'
import type { Chain } from '../Chain.ts'
import { createDeployerClient } from '../createDeployerClient.ts'
import { smartAccountFactory } from './deploySmartAccountFactory.ts'
import { encodeCreateAccount, type SmartAccountSeed } from './encodeCreateAccount.ts'
import { predictSmartAccount } from './predictSmartAccount.ts'

/** Deploys an ERC-1271 account. The address follows from the salt alone; one that is there keeps its first owner. */
export async function deploySmartAccount(chain: Chain, seed: SmartAccountSeed): Promise<Address> {
  await createDeployerClient(chain).sendTransaction({ to: smartAccountFactory, data: encodeCreateAccount(seed) })
  return predictSmartAccount(seed)
}
