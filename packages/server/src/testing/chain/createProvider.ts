import {
  CANCUN,
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  OSAKA,
  PRAGUE,
  type Provider,
  SHANGHAI,
} from '@nomicfoundation/edr'
import { hexToBytes, parseEther } from 'viem'
import { deployer, deployerKey } from './deployer.ts'

const hardforks = { shanghai: SHANGHAI, cancun: CANCUN, prague: PRAGUE, osaka: OSAKA }

export type Hardfork = keyof typeof hardforks

// The library allows one context a process.
let context: Promise<EdrContext> | undefined

const createContext = async () => {
  const created = new EdrContext()
  await created.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
  return created
}

/** An EVM in this process that mines a block for each transaction. */
export async function createProvider({
  chainId,
  hardfork,
  genesisTime,
}: {
  chainId: number
  hardfork: Hardfork
  /** Seconds since 1970; now unless it is given. */
  genesisTime?: number
}): Promise<Provider> {
  context ??= createContext()
  const fork = hardforks[hardfork]
  return (await context).createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: true,
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: 16_000_000n,
      genesisState: [
        ...l1GenesisState(l1HardforkFromString(fork)),
        { address: hexToBytes(deployer.address), balance: parseEther('1000000') },
      ],
      hardfork: fork,
      initialBaseFeePerGas: 1n,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: 30_000_000n, memPool: { order: MineOrdering.Fifo } },
      network: {
        genesisBlockGasLimit: 30_000_000n,
        genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
        ...(genesisTime !== undefined && { genesisBlockTime: BigInt(genesisTime) }),
      },
      observability: {},
      ownedAccounts: [deployerKey],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  )
}
