// @vitest-environment happy-dom

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@countersign/react/core'
import { cleanup, render, renderHook, screen } from '@testing-library/react'
import { ethers } from 'ethers'
import { Component, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import * as entry from './index.ts'
import { BigNumber } from './web3/BigNumber.ts'
import { toEthersAnswer } from './web3/toEthersValue.ts'
import { units } from './web3/units.ts'

afterEach(cleanup)

const names = [
  ...['ByMoralis', 'MoralisContext', 'MoralisProvider', 'NoMoralisContextProviderError', 'NotAuthenticatedError'],
  ...['ReactMoralisError', 'ValidationError', 'getChain', 'getSupportedChains', 'resolveIPFS', 'useApiContract'],
  ...['useChain', 'useERC20Balances', 'useERC20Transfers', 'useEnsAddress', 'useEnsName', 'useFiatBuy', 'useMoralis'],
  ...['useMoralisCloudFunction', 'useMoralisFile', 'useMoralisQuery', 'useMoralisSolanaApi', 'useMoralisSolanaCall'],
  ...['useMoralisSubscription', 'useMoralisWeb3Api', 'useMoralisWeb3ApiCall', 'useNFTBalances', 'useNFTTransfers'],
  ...['useNativeBalance', 'useNativeTransactions', 'useNewMoralisObject', 'useOneInchQuote', 'useOneInchSwap'],
  ...['useOneInchTokens', 'useOpenSeaAsset', 'useOpenSeaBuyOrder', 'useOpenSeaOrders', 'useOpenSeaSellOrder'],
  ...['useRaribleLazyMint', 'useRaribleSellOrder', 'useTokenPrice', 'useWeb3Contract', 'useWeb3ExecuteFunction'],
  'useWeb3Transfer',
]

test('the export list of @countersign/moralis is that of react-moralis 1.4.2', () => {
  expect(Object.keys(entry).sort()).toEqual([...names].sort())
  expect(names).toHaveLength(44)
})

test('the entry has hooks and is for the client side of a page', async () => {
  const text = await readFile(join(import.meta.dirname, 'index.ts'), 'utf8')
  expect(text.startsWith("'use client'\n")).toBe(true)
})

const wrapper = ({ children }: { children: ReactNode }) => (
  <entry.MoralisProvider initializeOnMount={false}>{children}</entry.MoralisProvider>
)
const state = ['data', 'error', 'isFetching', 'isLoading']
const resolved = [...state, 'fetch', 'setData']
const web3 = ['web3', 'isWeb3Enabled', 'chainId', 'account', 'network', 'connector', 'connectorType', 'provider']
const context = [
  ...['Moralis', 'environment', 'appId', 'serverUrl', 'isInitialized', 'isInitializing', 'initialize'],
  ...['authenticate', 'logout', 'signup', 'login', 'auth', 'authError', 'isAuthenticated', 'isUnauthenticated'],
  ...['isAuthenticating', 'hasAuthError', 'isLoggingOut', 'isAuthUndefined', 'setUserData', 'user', '_setUser'],
  ...['userError', 'isUserUpdating', 'refetchUserData', 'enableWeb3', 'deactivateWeb3', 'web3EnableError'],
  ...['isWeb3EnableLoading', ...web3],
]
const token = { address: '0x0', decimals: 18 }
const nft = { tokenAddress: '0x0', tokenId: '1', userAddress: '0x0', tokenType: 'ERC721' } as const
const call = async () => null

test.each<[string, () => unknown, string[]]>([
  ['useMoralis', () => entry.useMoralis(), context],
  ['useChain', () => entry.useChain(), [...web3.slice(2), 'chain', 'switchNetwork']],
  ['useMoralisQuery', () => entry.useMoralisQuery('Game'), [...state, 'fetch']],
  ['useMoralisCloudFunction', () => entry.useMoralisCloudFunction('f'), resolved],
  ['useMoralisFile', () => entry.useMoralisFile(), ['saveFile', 'isUploading', 'moralisFile', 'error']],
  ['useNewMoralisObject', () => entry.useNewMoralisObject('Game'), ['save', 'isSaving', 'object', 'error']],
  ['useMoralisWeb3ApiCall', () => entry.useMoralisWeb3ApiCall(call), resolved],
  ['useMoralisSolanaCall', () => entry.useMoralisSolanaCall(call), resolved],
  ['useWeb3ExecuteFunction', () => entry.useWeb3ExecuteFunction(), resolved],
  ['useWeb3Contract', () => entry.useWeb3Contract({}), [...state, 'runContractFunction']],
  ['useWeb3Transfer', () => entry.useWeb3Transfer(), resolved],
  ['useApiContract', () => entry.useApiContract({ functionName: 'f', abi: [] }), [...state, 'runContractFunction']],
  ['useERC20Balances', () => entry.useERC20Balances(), [...state, 'fetchERC20Balances']],
  ['useERC20Transfers', () => entry.useERC20Transfers(), [...state, 'fetchERC20Transfers']],
  ['useNFTTransfers', () => entry.useNFTTransfers(), [...state, 'getNFTTransfers']],
  ['useNFTBalances', () => entry.useNFTBalances(), [...state, 'getNFTBalances']],
  ['useNativeTransactions', () => entry.useNativeTransactions(), [...state, 'getNativeTransations', 'chainId']],
  ['useNativeBalance', () => entry.useNativeBalance(), [...state, 'getBalances', 'nativeToken']],
  ['useTokenPrice', () => entry.useTokenPrice({ address: '0x0' }), [...state, 'fetchTokenPrice']],
  ['useEnsName', () => entry.useEnsName('a.eth'), ['address', 'avatar', 'email', 'url', 'isLoading', 'error']],
  ['useEnsAddress', () => entry.useEnsAddress('0x0'), ['name', 'isLoading', 'error']],
  [
    'useOneInchQuote',
    () => entry.useOneInchQuote({ fromAmount: 1, fromToken: token, toToken: token }),
    [...state, 'getQuote'],
  ],
  [
    'useOneInchSwap',
    () => entry.useOneInchSwap({ fromAmount: 1, fromToken: token, toToken: token }),
    [...state, 'swap'],
  ],
  ['useOneInchTokens', () => entry.useOneInchTokens(), [...state, 'getSupportedTokens']],
  ['useOpenSeaAsset', () => entry.useOpenSeaAsset(nft), [...state, 'getAsset']],
  ['useOpenSeaOrders', () => entry.useOpenSeaOrders({ ...nft, orderSide: 0 }), [...state, 'getOrders']],
  [
    'useOpenSeaBuyOrder',
    () => entry.useOpenSeaBuyOrder({ ...nft, amount: 1, paymentTokenAddress: '0x0' }),
    [...state, 'createBuyOrder'],
  ],
  [
    'useOpenSeaSellOrder',
    () => entry.useOpenSeaSellOrder({ ...nft, startAmount: 1, endAmount: 1 }),
    [...state, 'createSellOrder'],
  ],
  ['useRaribleLazyMint', () => entry.useRaribleLazyMint({ ...nft, tokenUri: '/', supply: 1 }), [...state, 'lazyMint']],
  [
    'useRaribleSellOrder',
    () =>
      entry.useRaribleSellOrder({
        ...{ userAddress: '0x0', makeTokenId: '1', makeTokenAddress: '0x0', makeAssetClass: 'ERC721' },
        ...{ makeValue: '1', takeAssetClass: 'ETH', takeValue: '1' },
      }),
    [...state, 'createSellOrder'],
  ],
  ['useFiatBuy', () => entry.useFiatBuy(), [...state, 'buy']],
])('%s returns the keys that it had', (_, useIt, keys) => {
  const { result } = renderHook(useIt, { wrapper })
  expect(Object.keys(result.current as object).sort()).toEqual([...keys].sort())
})

test('useMoralisWeb3Api and useMoralisSolanaApi spread their groups', () => {
  const { result } = renderHook(() => [entry.useMoralisWeb3Api(), entry.useMoralisSolanaApi()] as const, { wrapper })
  const [evm, solana] = result.current
  expect(Object.keys(evm.Web3API)).toEqual([
    ...['native', 'account', 'token', 'contract', 'resolve', 'defi', 'storage', 'info', 'market_data', 'utils'],
    'initialize',
  ])
  expect(evm.account.getNFTs).toBe(evm.Web3API.account.getNFTs)
  expect(Object.keys(solana)).toEqual(['SolanaAPI', 'account', 'nft', 'token', 'initialize'])
  expect(typeof solana.account.getPortfolio).toBe('function')
})

class Catch extends Component<{ children: ReactNode }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError = (error: Error) => ({ error })
  override render = () =>
    this.state.error ? `${this.state.error.name}: ${this.state.error.message}` : this.props.children
}

test('R11: outside its provider a hook names the missing provider', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Outside = () => <p>{String(entry.useMoralis())}</p>
  render(
    <Catch>
      <Outside />
    </Catch>,
  )
  expect(screen.getByText(/NoMoralisContextProviderError: Make sure to only call useMoralis within a/)).toBeTruthy()
  expect(new entry.NoMoralisContextProviderError('x')).toBeInstanceOf(entry.ReactMoralisError)
  expect(entry.ReactMoralisError.isReactMoraliserrpr).toBe(true)
  vi.restoreAllMocks()
})

test('R4: rendered on a server, nothing is known yet and nothing is asked', () => {
  const State = () => {
    const { auth, isInitialized, user, web3 } = entry.useMoralis()
    return `${auth.state} ${isInitialized} ${user} ${web3}`
  }
  const page = (
    <entry.MoralisProvider appId="a" serverUrl="http://localhost:1/server" client={createClient()}>
      <State />
    </entry.MoralisProvider>
  )
  expect(renderToString(page)).toBe('undefined false null null')
})

test('resolveIPFS and the chains', () => {
  expect(entry.resolveIPFS('ipfs://x/1.png')).toBe('https://gateway.ipfs.io/ipfs/x/1.png')
  expect(entry.resolveIPFS('https://a.example')).toBe('https://a.example')
  expect(entry.resolveIPFS(null)).toBeNull()
  const ids = entry.getSupportedChains().map(({ chainId }) => chainId)
  for (const id of '0x1 0x3 0x4 0x5 0x2a 0x38 0x61 0x89 0x13881 0xfa 0xa86a 0xa869 0x19 0x539'.split(' ')) {
    expect(ids).toContain(id)
    expect(entry.getChain(id)?.rpc.join()).not.toContain('$')
  }
  expect(entry.getChain('0x89')).toMatchObject({
    name: 'Polygon Mainnet',
    networkId: 137,
    nativeCurrency: { decimals: 18 },
  })
  expect(entry.getChain('0xdead')).toBeUndefined()
})

test('R17: Moralis.Units', () => {
  expect(units.ETH('1.5')).toBe('1500000000000000000')
  expect(units.Token(2, 6)).toBe('2000000')
  expect(units.FromWei('1500000000000000000')).toBe('1.5')
  expect(units.FromWei('2000000', 6)).toBe('2')
  for (const text of ['0', '1', '100', '0.5', '.5', '1.0', '1.10', '-2.5', '123456789.000000000000000001']) {
    expect(units.ETH(text)).toBe(ethers.utils.parseEther(text).toString())
    const wei = ethers.utils.parseEther(text)
    expect(units.FromWei(wei)).toBe(ethers.utils.formatEther(wei).replace(/\.0$/, ''))
  }
  expect(() => units.Token('1.23', 1)).toThrow('fractional component exceeds decimals')
  for (const text of ['', '.', 'x', '1e3', '1.2.3']) expect(() => units.ETH(text)).toThrow('invalid decimal value')
})

test('returns contract results in the form of ethers 5', () => {
  const samples: [string, unknown, string][] = [
    ['0', 0n, '0x00'],
    ['255', 255n, '0xff'],
    ['-300', -300n, '-0x012c'],
    ['big', 2n ** 255n, ''],
  ]
  for (const [, value] of samples) {
    const ours = new BigNumber(value as bigint)
    const theirs = ethers.BigNumber.from(value as bigint)
    expect(ours.toString()).toBe(theirs.toString())
    expect(ours._hex).toBe(theirs._hex)
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
    expect(ethers.BigNumber.from(ours).eq(theirs)).toBe(true)
    expect(ethers.BigNumber.isBigNumber(ours)).toBe(true)
    for (const method of ['add', 'sub', 'mul', 'div', 'mod'] as const) {
      expect(ours[method](7).toString()).toBe(theirs[method](7).toString())
    }
    for (const method of ['eq', 'lt', 'lte', 'gt', 'gte'] as const) expect(ours[method](255)).toBe(theirs[method](255))
  }
  const one: unknown = new BigNumber(15n * 10n ** 17n)
  expect(ethers.utils.formatUnits(one as ethers.BigNumberish, 'ether')).toBe('1.5')
  expect(() => new BigNumber(2n ** 64n).toNumber()).toThrow('overflow')
  expect(() => new BigNumber(1n).div(0)).toThrow('division-by-zero')

  const abi = [
    'function f() view returns (uint256 a, tuple(uint8 small, int256[] list) book, address length, bytes4 d)',
  ]
  const coder = new ethers.utils.Interface(abi)
  const values = [2n ** 200n, { small: 7, list: [-1n, 2n] }, '0x0000000000000000000000000000000000000001', '0x01020304']
  const data = coder.encodeFunctionResult('f', [values[0], [7, [-1n, 2n]], values[2], values[3]])
  const theirs = coder.decodeFunctionResult('f', data)
  const { outputs = [] } = coder.getFunction('f')
  const parameters = JSON.parse(coder.format('json') as string)[0].outputs
  const ours = toEthersAnswer(parameters, values)
  expect(outputs).toHaveLength(4)
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
  expect(Object.keys(ours)).toEqual(Object.keys(theirs))
  expect(ours.book.small).toBe(7)
  expect(ours.a.toString()).toBe(theirs.a.toString())
  expect(ours.length).toBe(4)
})
