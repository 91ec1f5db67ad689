import { createConfig } from 'ponder'
import { parseAbi } from 'viem'

const list = (name: string) => (process.env[name] ?? '').split(',') as `0x${string}`[]
const chain = 'synthetic'

export default createConfig({
  database: { kind: 'postgres', connectionString: process.env.DATABASE_URL ?? '' },
  chains: { [chain]: { id: Number(process.env.CHAIN_ID), rpc: list('RPC_URLS'), pollingInterval: 100 } },
  contracts: {
    Coin: {
      chain,
      abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
      address: list('COINS'),
      startBlock: 0,
    },
    Picture: {
      chain,
      abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)']),
      address: list('PICTURES'),
      startBlock: 0,
    },
  },
})
