import { olderFunctionEndpoints } from '../../http/chain/moralisCompat/olderFunctions.ts'
import { nobody, type PermissionRow, signedIn, someone } from './PermissionRow.ts'

/** Reads of chains are everyone's by default; here no chain has a node. */
const onChain = (name: string, path: string): PermissionRow => ({
  name,
  call: () => ['GET', `/chain/eth${path}`],
  expected: nobody('400/108'),
})

const address = `0x${'ab'.repeat(20)}`

/** Parameters for any function of the older data API. */
const ofChain = {
  ...{ address, owner_address: address, spender_address: address, pair_address: address, token_address: address },
  ...{ token0_address: address, token1_address: address, exchange: 'uniswapv2', domain: 'a.eth' },
  ...{ block_number_or_hash: 'latest', date: '2030-01-31', transaction_hash: `0x${'ab'.repeat(32)}` },
  ...{ abi: [], topic: 'x', function_name: 'x', addresses: [address], wallet_addresses: [address], symbols: ['x'] },
  ...{ token_id: '1', tokens: [{ token_address: address, token_id: '1' }] },
}

/** Endpoints that read chains. */
export const chainRows: PermissionRow[] = [
  { name: 'listChains', call: () => ['GET', '/chain'], expected: nobody('200') },
  onChain('getChain', ''),
  onChain('getBlock', '/blocks/latest'),
  onChain('getBlockByDate', '/date/2024-01-01'),
  onChain('getTransaction', `/transactions/0x${'ab'.repeat(32)}`),
  onChain('listInternalTransactions', `/transactions/0x${'ab'.repeat(32)}/internal`),
  onChain('getAddress', `/addresses/${address}`),
  onChain('getNativeBalance', `/addresses/${address}/balance`),
  onChain('listNativeBalances', `/balances?addresses=${address}`),
  onChain('listTokenBalances', `/addresses/${address}/tokens`),
  onChain('listNfts', `/addresses/${address}/nfts`),
  onChain('listTransfers', `/addresses/${address}/transfers`),
  onChain('listTransactions', `/addresses/${address}/transactions`),
  onChain('listCollections', `/addresses/${address}/collections`),
  onChain('getNameOf', `/addresses/${address}/name`),
  onChain('listNames', `/names?addresses=${address}`),
  onChain('resolveName', '/names/alice.eth'),
  onChain('getNamePicture', '/names/alice.eth/picture'),
  onChain('listTokens', `/tokens?addresses=${address}`),
  onChain('getToken', `/tokens/${address}`),
  onChain('getTokenPrice', `/tokens/${address}/price`),
  onChain('listPriceChanges', `/prices?tokens=${address}`),
  onChain('getAllowance', `/tokens/${address}/allowance?owner=${address}&spender=${address}`),
  onChain('listTokenTransfers', `/tokens/${address}/transfers`),
  onChain('getCollection', `/nfts/${address}`),
  onChain('listTokenIds', `/nfts/${address}/ids`),
  onChain('listNftOwners', `/nfts/${address}/owners`),
  onChain('listNftTransfers', `/nfts/${address}/transfers`),
  onChain('getNft', `/nfts/${address}/1`),
  onChain('getNftPicture', `/nfts/${address}/1/picture`),
  onChain('listNftOwnersOfId', `/nfts/${address}/1/owners`),
  onChain('listNftTransfersOfId', `/nfts/${address}/1/transfers`),
  onChain('getValueHistory', `/addresses/${address}/value`),
  onChain('listLogs', '/logs'),
  onChain('getPair', `/pairs?tokenA=${address}&tokenB=${address}&exchange=uniswapv2`),
  {
    name: 'followTransaction',
    call: () => ['POST', `/chain/nosuch/transactions/0x${'0'.repeat(64)}/follow`, {}],
    expected: signedIn('400/162'),
  },
  {
    name: 'callContract',
    call: () => ['POST', '/chain/eth/call', { address: someone, abi: [], function: 'f' }],
    expected: nobody('400/108'),
  },
  {
    name: 'listEvents',
    call: () => ['POST', '/chain/eth/events', { address: someone, abi: [] }],
    expected: nobody('400/108'),
  },
  ...olderFunctionEndpoints.map(({ name, path }): PermissionRow => {
    const needsNothing = /web3ApiVersion|endpointWeights/.test(path)
    if (name === 'web3Api_uploadFolder') {
      const data = [{ path: 'a.txt', content: 'YQ==' }]
      const call = (): [string, string, object] => ['POST', path, { data }]
      return { name, call, expected: ['400/130', '400/108', '400/108', '400/108', '400/108'] }
    }
    return { name, call: () => ['POST', path, ofChain], expected: nobody(needsNothing ? '200' : '400/108') }
  }),
  { name: 'getPortfolio', call: () => ['GET', `/portfolio/${address}`], expected: nobody('200') },

  // Without a node for it there is nothing to read for any caller.
  ...[
    { name: 'getSolanaBalance', place: 'addresses/11111111111111111111111111111111/balance', older: 'balance' },
    { name: 'listSolanaTokens', place: 'addresses/11111111111111111111111111111111/tokens', older: 'getSPL' },
    { name: 'listSolanaNfts', place: 'addresses/11111111111111111111111111111111/nfts', older: 'getNFTs' },
    {
      name: 'getSolanaPortfolio',
      place: 'addresses/11111111111111111111111111111111/portfolio',
      older: 'getPortfolio',
    },
    { name: 'getSolanaNft', place: 'nfts/11111111111111111111111111111111', older: 'getNFTMetadata' },
    { name: 'getSolanaTokenPrice', place: 'tokens/11111111111111111111111111111111/price', older: 'getTokenPrice' },
  ].flatMap(({ name, place, older }): PermissionRow[] => [
    { name, call: () => ['GET', `/solana/mainnet/${place}`], expected: nobody('400/108') },
    {
      name: `solanaApi_${older}`,
      call: () => ['POST', `/functions/sol-${older}`, { address: '1'.repeat(32) }],
      expected: nobody('400/108'),
    },
  ]),
]
