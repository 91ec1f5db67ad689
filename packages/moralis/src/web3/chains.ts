export type MoralisChain = {
  chainId: string
  blockExplorerUrl: string | null
  name: string
  shortName: string
  networkId: number
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpc: string[]
  faucets: string[]
  infoURL: string
}

/** Id, name, short name, coin, its symbol, node, explorer. Nodes that need a key and ended chains are not listed. */
const rows = `1|Ethereum Mainnet|eth|Ether|ETH|https://ethereum-rpc.publicnode.com|https://etherscan.io
3|Ethereum Testnet Ropsten|rop|Ether|ETH
4|Ethereum Testnet Rinkeby|rin|Ether|ETH
5|Ethereum Testnet Goerli|gor|Ether|ETH
42|Ethereum Testnet Kovan|kov|Ether|ETH
56|Binance Smart Chain Mainnet|bnb|Binance Chain Native Token|BNB|https://bsc-dataseed.bnbchain.org|https://bscscan.com
97|Binance Smart Chain Testnet|bnbt|Binance Chain Native Token|tBNB|https://data-seed-prebsc-1-s1.bnbchain.org:8545|https://testnet.bscscan.com
137|Polygon Mainnet|MATIC|Polygon|POL|https://polygon-rpc.com|https://polygonscan.com
80001|Polygon Testnet Mumbai|maticmum|Polygon|POL
250|Fantom Opera|ftm|Fantom|FTM|https://rpcapi.fantom.network|https://ftmscan.com
43114|Avalanche Mainnet|avax|Avalanche|AVAX|https://api.avax.network/ext/bc/C/rpc|https://snowtrace.io
43113|Avalanche Fuji Testnet|Fuji|Avalanche|AVAX|https://api.avax-test.network/ext/bc/C/rpc|https://testnet.snowtrace.io
25|Cronos Mainnet Beta|cro|Cronos|CRO|https://evm.cronos.org|https://cronoscan.com
1337|Local Development Chain|local|Ether|ETH|http://127.0.0.1:8545
11155111|Ethereum Testnet Sepolia|sep|Ether|ETH|https://ethereum-sepolia-rpc.publicnode.com|https://sepolia.etherscan.io`

const chains: readonly MoralisChain[] = rows.split('\n').map((row) => {
  const [id = '', name = '', shortName = '', coin = '', symbol = '', rpc, explorer = ''] = row.split('|')
  return {
    chainId: `0x${Number(id).toString(16)}`,
    blockExplorerUrl: explorer || null,
    name,
    shortName,
    networkId: Number(id),
    nativeCurrency: { name: coin, symbol, decimals: 18 },
    rpc: rpc ? [rpc] : [],
    faucets: [],
    infoURL: explorer,
  }
})

/**
 * The chains that this package can add to a wallet, with those of the older package that are gone since.
 *
 * @example
 * const names = getSupportedChains().map(({ name }) => name)
 */
export function getSupportedChains(): MoralisChain[] {
  return [...chains]
}

/**
 * A chain by its id in hexadecimal.
 *
 * @example
 * getChain('0x89')?.nativeCurrency.symbol // 'POL'
 */
export function getChain(chainId: string): MoralisChain | undefined {
  return chains.find((chain) => chain.chainId === chainId.toLowerCase())
}

/** `Moralis.Chains`. */
export const chainIds = {
  ETH_MAINNET: '0x1',
  ETH_ROPSTEN: '0x3',
  ETH_RINKEBY: '0x4',
  ETH_GOERLI: '0x5',
  ETH_KOVAN: '0x2a',
  ETH_LOCALDEVCHAIN: '0x539',
  POLYGON_MAINNET: '0x89',
  POLYGON_MUMBAI: '0x13881',
  BSC_MAINNET: '0x38',
  BSC_TESTNET: '0x61',
  AVAX_MAINNET: '0xa86a',
  AVAX_TESTNET: '0xa869',
  FANTOM_MAINNET: '0xfa',
  CRONOS_MAINNET: '0x19',
  CRONOS_TESTNET: '0x152',
} as const
