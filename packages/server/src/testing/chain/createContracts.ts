import { pino } from 'pino'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { createChains } from '../../chain/nodes/getChains.ts'
import type { ConfigInput } from '../../config/Config.ts'
import { readConfig } from '../../config/readConfig.ts'
import type { Chain as TestChain } from './Chain.ts'
import { createDeployerClient } from './createDeployerClient.ts'
import { createWallet } from './createWallet.ts'
import { deployContract } from './deployContract.ts'
import { deployer } from './deployer.ts'
import { type ArtifactName, getArtifact } from './getArtifact.ts'

export const alice = createWallet().address.toLowerCase() as Hex
export const bob = createWallet().address.toLowerCase() as Hex
export const creator = deployer.address.toLowerCase() as Hex
export const day = 86_400

/** Puts contracts on a chain, writes to them, and opens the chain as a server does. */
export function createContracts(nodeOf: () => TestChain) {
  const deploy = async (name: ArtifactName, ...args: unknown[]) =>
    (await deployContract(nodeOf(), getArtifact(name), args)).toLowerCase() as Hex

  const write = (name: ArtifactName, address: Hex, functionName: string, ...args: unknown[]) =>
    createDeployerClient(nodeOf()).writeContract({ address, abi: getArtifact(name).abi, functionName, args })

  const connect = async (settings: Partial<NonNullable<ConfigInput['chains']>[number]> = {}): Promise<Chain> => {
    const chains = [{ id: nodeOf().chainId, rpcUrls: [nodeOf().url], headCacheTtl: 0, timeout: 20_000, ...settings }]
    const config = await readConfig({
      environment: {},
      folder: '/nonexistent',
      flags: { usePublicNodes: false, chains },
    })
    return createChains({ config, log: pino({ level: 'silent' }) }).get(nodeOf().chainId)
  }

  const head = async () => Number(await nodeOf().request('eth_blockNumber'))

  /** Ends the faults of a test. */
  function clearFaults(): void {
    const { faults } = nodeOf()
    for (const name of ['missing', 'stateBlocks', 'maxRange', 'maxLogs', 'answer'] as const) delete faults[name]
    faults.calls = {}
  }

  return { clearFaults, deploy, write, connect, head }
}
