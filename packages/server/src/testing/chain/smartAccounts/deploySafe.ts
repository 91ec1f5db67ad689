import { type Address, encodeFunctionData, getContract, type Hex, parseAbi, parseEventLogs, zeroAddress } from 'viem'
import type { Chain } from '../Chain.ts'
import { createDeployerClient } from '../createDeployerClient.ts'
import { deployContract } from '../deployContract.ts'
import { getArtifact } from '../getArtifact.ts'

export type DeployedSafe = { address: Address; chainId: number }

type Parts = { singleton: Address; factory: Address; handler: Address }

const abi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
  'event ProxyCreation(address indexed proxy, address singleton)',
])

const parts = new WeakMap<Chain, Promise<Parts>>()
let nonce = 0n

/** Deploys a Safe 1.4.1 with its fallback handler, the part that supports ERC-1271. */
export async function deploySafe(
  chain: Chain,
  { owners, threshold }: { owners: readonly Address[]; threshold: number },
): Promise<DeployedSafe> {
  const known = parts.get(chain) ?? deployParts(chain)
  parts.set(chain, known)
  const { singleton, factory, handler } = await known

  const initializer: Hex = encodeFunctionData({
    abi,
    functionName: 'setup',
    args: [owners, BigInt(threshold), zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
  })
  const client = createDeployerClient(chain)
  const hash = await getContract({ abi, address: factory, client }).write.createProxyWithNonce([
    singleton,
    initializer,
    nonce++,
  ])
  const { logs } = await client.getTransactionReceipt({ hash })
  const [created] = parseEventLogs({ abi, eventName: 'ProxyCreation', logs })
  if (!created) throw new Error('The factory made no Safe.')
  return { address: created.args.proxy, chainId: chain.chainId }
}

const deployParts = async (chain: Chain): Promise<Parts> => ({
  singleton: await deployContract(chain, getArtifact('Safe')),
  factory: await deployContract(chain, getArtifact('SafeProxyFactory')),
  handler: await deployContract(chain, getArtifact('CompatibilityFallbackHandler')),
})
