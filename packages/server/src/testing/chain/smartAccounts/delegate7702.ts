import type { Address, PrivateKeyAccount } from 'viem'
import type { Chain } from '../Chain.ts'
import { createDeployerClient } from '../createDeployerClient.ts'
import { deployer } from '../deployer.ts'

/** Delegates the account to the code at `implementation` (EIP-7702); the deployer pays. */
export async function delegate7702(chain: Chain, account: PrivateKeyAccount, implementation: Address): Promise<void> {
  const client = createDeployerClient(chain)
  const authorization = await account.signAuthorization({
    contractAddress: implementation,
    chainId: chain.chainId,
    nonce: await client.getTransactionCount({ address: account.address }),
  })
  await client.sendTransaction({
    account: deployer,
    to: deployer.address,
    gas: 200_000n,
    authorizationList: [authorization],
  })
  if (!(await client.getCode({ address: account.address }))) throw new Error('The delegation was not taken.')
}
