import { type Hex, namehash, zeroAddress } from 'viem'
import { labelhash } from 'viem/ens'
import type { ConfigInput } from '../../config/Config.ts'
import type { Chain } from './Chain.ts'
import { createDeployerClient } from './createDeployerClient.ts'
import { createWallet } from './createWallet.ts'
import { deployContract } from './deployContract.ts'
import { deployer } from './deployer.ts'
import { type ArtifactName, getArtifact } from './getArtifact.ts'
import { startChain } from './startChain.ts'

const lower = (text: string) => text.toLowerCase() as Hex
export const ether = (amount: number) => BigInt(amount) * 10n ** 18n

/**
 * A chain with some of everything that is read from chains: tokens, NFTs, names, pools. `send` calls contracts as the
 * deployer, who has minted everything, and returns the hash of the transaction.
 */
export async function createScene() {
  const node: Chain = await startChain()
  const client = createDeployerClient(node)
  const alice = lower(createWallet().address)
  const bob = lower(createWallet().address)
  const creator = lower(deployer.address)
  const deploy = async (name: ArtifactName, ...args: unknown[]) =>
    lower(await deployContract(node, getArtifact(name), args))
  const send = (name: ArtifactName, address: Hex, functionName: string, ...args: unknown[]): Promise<Hex> =>
    client.writeContract({ address, abi: getArtifact(name).abi, functionName, args })

  const multicall = await deploy('Multicall3')
  const gold = await deploy('Token', 'Gold', 'GLD', 18)
  const weth = await deploy('Token', 'Wrapped Ether', 'WETH', 18)
  const usdc = await deploy('Token', 'USD Coin', 'USDC', 6)
  const pictures = await deploy('Pictures', 'Pictures', 'PIC')
  const badges = await deploy('Badges', 'Badges', 'BDG', 'data:application/json,{"name":"Badge {id}"}')
  const factory = await deploy('PairFactory')
  const [registry, resolver] = [await deploy('NameRegistry'), await deploy('NameResolver')]

  const pair = async (a: [Hex, bigint], b: [Hex, bigint]) => {
    await send('PairFactory', factory, 'createPair', a[0], b[0])
    const { abi } = getArtifact('PairFactory')
    const found = await client.readContract({ address: factory, abi, functionName: 'getPair', args: [a[0], b[0]] })
    const address = lower(found as string)
    for (const [token, amount] of [a, b]) await send('Token', token, 'mint', address, amount)
    await send('Pair', address, 'sync')
    return address
  }
  const main = await pair([weth, ether(100)], [usdc, 200_000_000_000n])
  const goldPair = await pair([gold, ether(20_000)], [weth, ether(10)])

  const own = (parent: string, label: string, by: Hex = resolver) => {
    const node = parent ? namehash(parent) : `0x${'0'.repeat(64)}`
    return send('NameRegistry', registry, 'setSubnodeRecord', node, labelhash(label), creator, by, 0n)
  }
  await own('', 'eth', zeroAddress)
  await own('', 'reverse', zeroAddress)
  await own('reverse', 'addr', zeroAddress)
  await own('eth', 'alice')
  await own('addr.reverse', alice.slice(2))
  await send('NameResolver', resolver, 'setAddr', namehash('alice.eth'), alice)
  await send('NameResolver', resolver, 'setName', namehash(`${alice.slice(2)}.addr.reverse`), 'alice.eth')
  await send('NameResolver', resolver, 'setText', namehash('alice.eth'), 'avatar', 'https://alice.example/me.png')

  const contracts = {
    multicall,
    ensRegistry: registry,
    wrapped: weth,
    stablecoins: [usdc],
    v2: [{ name: 'uniswapv2', factory }],
    v3: [],
  }
  type Index = NonNullable<NonNullable<ConfigInput['chains']>[number]['index']>
  /** The setting `chains` of a server that reads this chain, as `eth` for the older clients. */
  const chainsWith = (index?: Index): NonNullable<ConfigInput['chains']> => [
    {
      ...{ id: node.chainId, name: 'local', aliases: ['eth'], rpcUrls: [node.url], contracts },
      ...{ headCacheTtl: 0, requestsPerSecond: 10_000, timeout: 5_000 },
      ...(index && { index: { pollInterval: 50, ...index } }),
    },
  ]

  return {
    ...{ node, client, alice, bob, creator, deploy, send, chainsWith },
    ...{ multicall, gold, weth, usdc, pictures, badges, factory, main, goldPair },
  }
}
