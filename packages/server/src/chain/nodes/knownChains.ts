export type NativeCurrency = { name: string; symbol: string; decimals: number }
export type Exchange = { name: string; factory: string }

/** Contracts that the server itself reads on a chain; addresses in lower case. */
export type ChainContracts = {
  multicall?: string
  ensRegistry?: string
  v2: readonly Exchange[]
  v3: readonly Exchange[]
  wrapped?: string
  stablecoins: readonly string[]
}

export type KnownChain = {
  id: number
  name: string
  /** Further names. The first ones are those of the older clients. */
  aliases: readonly string[]
  nativeCurrency: NativeCurrency
  explorer?: string
  /** Nodes that anyone may ask. None of them is asked unless `publicNodes` is on. */
  publicNodes: readonly string[]
  contracts?: Partial<ChainContracts>
  /** Blocks below the head that are final, for nodes that do not say. */
  finality: number
}

export const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const ensRegistry = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
const uniswapV3 = { name: 'uniswapv3', factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984' }
const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const currency = (name: string, symbol: string): NativeCurrency => ({ name, symbol, decimals: 18 })
const opWrapped = '0x4200000000000000000000000000000000000006'

/** Chains that need no more than a node: names that clients use for them, currency, contracts. */
export const knownChains: readonly KnownChain[] = [
  {
    id: 1,
    name: 'eth',
    aliases: ['mainnet', 'ethereum', 'homestead'],
    nativeCurrency: ether,
    explorer: 'https://etherscan.io',
    publicNodes: ['https://ethereum.reth.rs/rpc', 'https://ethereum-rpc.publicnode.com'],
    contracts: {
      multicall: multicall3,
      ensRegistry,
      v2: [
        { name: 'uniswapv2', factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f' },
        { name: 'sushiswapv2', factory: '0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac' },
      ],
      v3: [uniswapV3],
      wrapped: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      stablecoins: [
        '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        '0xdAC17F958D2ee523a2206206994597C13D831ec7',
        '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      ],
    },
    finality: 65,
  },
  {
    id: 11155111,
    name: 'sepolia',
    aliases: [],
    nativeCurrency: currency('Sepolia Ether', 'ETH'),
    explorer: 'https://sepolia.etherscan.io',
    publicNodes: ['https://ethereum-sepolia-rpc.publicnode.com', 'https://11155111.rpc.thirdweb.com'],
    contracts: { multicall: multicall3, ensRegistry },
    finality: 65,
  },
  {
    id: 17000,
    name: 'holesky',
    aliases: [],
    nativeCurrency: currency('Holesky Ether', 'ETH'),
    explorer: 'https://holesky.etherscan.io',
    publicNodes: ['https://ethereum-holesky-rpc.publicnode.com'],
    contracts: { multicall: multicall3, ensRegistry },
    finality: 65,
  },
  {
    id: 560048,
    name: 'hoodi',
    aliases: [],
    nativeCurrency: currency('Hoodi Ether', 'ETH'),
    explorer: 'https://hoodi.etherscan.io',
    publicNodes: ['https://rpc.hoodi.ethpandaops.io'],
    contracts: { multicall: multicall3 },
    finality: 65,
  },
  {
    id: 5,
    name: 'goerli',
    aliases: [],
    nativeCurrency: currency('Goerli Ether', 'ETH'),
    explorer: 'https://goerli.etherscan.io',
    publicNodes: [],
    contracts: { multicall: multicall3, ensRegistry },
    finality: 65,
  },
  { id: 3, name: 'ropsten', aliases: [], nativeCurrency: ether, publicNodes: [], finality: 65 },
  { id: 4, name: 'rinkeby', aliases: [], nativeCurrency: ether, publicNodes: [], finality: 65 },
  { id: 42, name: 'kovan', aliases: [], nativeCurrency: ether, publicNodes: [], finality: 65 },
  {
    id: 137,
    name: 'polygon',
    aliases: ['matic'],
    nativeCurrency: currency('POL', 'POL'),
    explorer: 'https://polygonscan.com',
    publicNodes: ['https://polygon.drpc.org', 'https://polygon-bor-rpc.publicnode.com'],
    contracts: {
      multicall: multicall3,
      v2: [{ name: 'quickswap', factory: '0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32' }],
      v3: [uniswapV3],
      wrapped: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
      stablecoins: ['0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
    },
    finality: 200,
  },
  {
    id: 80001,
    name: 'mumbai',
    aliases: ['polygon mumbai', 'maticmum'],
    nativeCurrency: currency('MATIC', 'MATIC'),
    explorer: 'https://mumbai.polygonscan.com',
    publicNodes: [],
    contracts: { multicall: multicall3 },
    finality: 200,
  },
  {
    id: 80002,
    name: 'amoy',
    aliases: ['polygon amoy', 'polygon testnet'],
    nativeCurrency: currency('POL', 'POL'),
    explorer: 'https://amoy.polygonscan.com',
    publicNodes: ['https://polygon-amoy.drpc.org'],
    contracts: { multicall: multicall3 },
    finality: 200,
  },
  {
    id: 56,
    name: 'bsc',
    aliases: ['binance', 'bnb'],
    nativeCurrency: currency('BNB', 'BNB'),
    explorer: 'https://bscscan.com',
    publicNodes: ['https://bsc-dataseed.bnbchain.org', 'https://bsc-rpc.publicnode.com'],
    contracts: {
      multicall: multicall3,
      v2: [
        { name: 'pancakeswapv2', factory: '0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73' },
        { name: 'pancakeswapv1', factory: '0xBCfCcbde45cE874adCB698cC183deBcF17952812' },
      ],
      wrapped: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
      stablecoins: ['0x55d398326f99059fF775485246999027B3197955', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
    },
    finality: 30,
  },
  {
    id: 97,
    name: 'bsc testnet',
    aliases: ['binance testnet', 'bnbt'],
    nativeCurrency: currency('BNB', 'tBNB'),
    explorer: 'https://testnet.bscscan.com',
    publicNodes: ['https://data-seed-prebsc-1-s1.bnbchain.org:8545'],
    contracts: { multicall: multicall3 },
    finality: 30,
  },
  {
    id: 43114,
    name: 'avalanche',
    aliases: ['avax'],
    nativeCurrency: currency('Avalanche', 'AVAX'),
    explorer: 'https://snowtrace.io',
    publicNodes: ['https://api.avax.network/ext/bc/C/rpc'],
    contracts: {
      multicall: multicall3,
      wrapped: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
      stablecoins: ['0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'],
    },
    finality: 10,
  },
  {
    id: 43113,
    name: 'avalanche testnet',
    aliases: ['avalanche fuji', 'fuji'],
    nativeCurrency: currency('Avalanche Fuji', 'AVAX'),
    explorer: 'https://testnet.snowtrace.io',
    publicNodes: ['https://api.avax-test.network/ext/bc/C/rpc'],
    contracts: { multicall: multicall3 },
    finality: 10,
  },
  {
    id: 250,
    name: 'fantom',
    aliases: ['ftm'],
    nativeCurrency: currency('Fantom', 'FTM'),
    explorer: 'https://ftmscan.com',
    publicNodes: ['https://250.rpc.thirdweb.com'],
    contracts: { multicall: multicall3, wrapped: '0x21be370D5312f44cB42ce377BC9b8a0cEF1A4C83' },
    finality: 10,
  },
  {
    id: 11297108109,
    name: 'palm',
    aliases: [],
    nativeCurrency: currency('PALM', 'PALM'),
    explorer: 'https://palm.chainlens.com',
    publicNodes: ['https://palm-mainnet.public.blastapi.io'],
    contracts: { multicall: multicall3 },
    finality: 30,
  },
  {
    id: 25,
    name: 'cronos',
    aliases: [],
    nativeCurrency: currency('Cronos', 'CRO'),
    explorer: 'https://explorer.cronos.org',
    publicNodes: ['https://evm.cronos.org'],
    contracts: { multicall: multicall3 },
    finality: 10,
  },
  {
    id: 338,
    name: 'cronos testnet',
    aliases: [],
    nativeCurrency: currency('CRO', 'tCRO'),
    explorer: 'https://explorer.cronos.org/testnet',
    publicNodes: ['https://evm-t3.cronos.org'],
    contracts: { multicall: multicall3 },
    finality: 10,
  },
  {
    id: 42161,
    name: 'arbitrum',
    aliases: ['arbitrum one'],
    nativeCurrency: ether,
    explorer: 'https://arbiscan.io',
    publicNodes: ['https://arb1.arbitrum.io/rpc'],
    contracts: {
      multicall: multicall3,
      v3: [uniswapV3],
      wrapped: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
      stablecoins: ['0xaf88d065e77c8cC2239327C5EDb3A432268e5831', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
    },
    finality: 240,
  },
  {
    id: 421614,
    name: 'arbitrum sepolia',
    aliases: ['arbitrum testnet'],
    nativeCurrency: currency('Arbitrum Sepolia Ether', 'ETH'),
    explorer: 'https://sepolia.arbiscan.io',
    publicNodes: ['https://sepolia-rollup.arbitrum.io/rpc'],
    contracts: { multicall: multicall3 },
    finality: 240,
  },
  {
    id: 10,
    name: 'optimism',
    aliases: ['op', 'op mainnet'],
    nativeCurrency: ether,
    explorer: 'https://optimistic.etherscan.io',
    publicNodes: ['https://mainnet.optimism.io'],
    contracts: {
      multicall: multicall3,
      v3: [uniswapV3],
      wrapped: opWrapped,
      stablecoins: ['0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
    },
    finality: 240,
  },
  {
    id: 11155420,
    name: 'optimism sepolia',
    aliases: ['op sepolia'],
    nativeCurrency: currency('Sepolia Ether', 'ETH'),
    explorer: 'https://optimism-sepolia.blockscout.com',
    publicNodes: ['https://sepolia.optimism.io'],
    contracts: { multicall: multicall3, wrapped: opWrapped },
    finality: 240,
  },
  {
    id: 8453,
    name: 'base',
    aliases: [],
    nativeCurrency: ether,
    explorer: 'https://basescan.org',
    publicNodes: ['https://mainnet.base.org'],
    contracts: {
      multicall: multicall3,
      v2: [{ name: 'uniswapv2', factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6' }],
      v3: [{ name: 'uniswapv3', factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD' }],
      wrapped: opWrapped,
      stablecoins: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    },
    finality: 240,
  },
  {
    id: 84532,
    name: 'base sepolia',
    aliases: [],
    nativeCurrency: currency('Sepolia Ether', 'ETH'),
    explorer: 'https://sepolia.basescan.org',
    publicNodes: ['https://sepolia.base.org'],
    contracts: { multicall: multicall3, wrapped: opWrapped },
    finality: 240,
  },
  {
    id: 100,
    name: 'gnosis',
    aliases: ['xdai'],
    nativeCurrency: currency('xDAI', 'XDAI'),
    explorer: 'https://gnosisscan.io',
    publicNodes: ['https://rpc.gnosischain.com'],
    contracts: { multicall: multicall3 },
    finality: 30,
  },
  {
    id: 59144,
    name: 'linea',
    aliases: [],
    nativeCurrency: currency('Linea Ether', 'ETH'),
    explorer: 'https://lineascan.build',
    publicNodes: ['https://rpc.linea.build'],
    contracts: { multicall: multicall3 },
    finality: 240,
  },
]
