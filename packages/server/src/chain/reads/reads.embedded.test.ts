import { pino } from 'pino'
import { encodeAbiParameters, keccak256, namehash, parseEther, toHex, zeroAddress } from 'viem'
import { labelhash } from 'viem/ens'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ConfigInput } from '../../config/Config.ts'
import { readConfig } from '../../config/readConfig.ts'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { deployer } from '../../testing/chain/deployer.ts'
import { type ArtifactName, getArtifact } from '../../testing/chain/getArtifact.ts'
import { longestHold } from '../../testing/longestHold.ts'
import type { Chain, Hex } from '../nodes/Chain.ts'
import { createChains } from '../nodes/getChains.ts'
import { readAddress } from '../tokenGates/tokenGates.ts'
import { decodeCall, decodeLog, plainText, toPlain } from './abi.ts'
import { dateToBlock, getBlock } from './blocks.ts'
import { callContract } from './callContract.ts'
import { findAvatar, findTextRecord, nameHash, resolveName, reverseName } from './ens.ts'
import { getContractEvents, getLogs, suggestRange } from './getLogs.ts'
import { getNativeBalance, getNativeBalances } from './nativeBalances.ts'
import { getPairAddress, getPairReserves } from './pairs.ts'
import { getTokenPrices, getUsdValue } from './prices.ts'
import { getAllowance, getNftContracts, getTokenBalances, getTokenMetadata, getTokenUris } from './tokens.ts'
import { getInternalTransactions, getTransaction } from './transactions.ts'

const alice = createWallet().address.toLowerCase() as Hex
const bob = createWallet().address.toLowerCase() as Hex
const creator = deployer.address.toLowerCase() as Hex
const day = 86_400

let node: TestChain
let client: ReturnType<typeof createDeployerClient>

beforeAll(async () => {
  node = await startNode()
  client = createDeployerClient(node)
})
afterAll(() => node.stop())
afterEach(() => {
  for (const name of ['missing', 'stateBlocks', 'maxRange', 'maxLogs', 'answer'] as const) delete node.faults[name]
  node.faults.calls = {}
})

const startNode = async () => (await import('../../testing/chain/startChain.ts')).startChain()

const deploy = async (name: ArtifactName, ...args: unknown[]) =>
  (await deployContract(node, getArtifact(name), args)).toLowerCase() as Hex

const write = (name: ArtifactName, address: Hex, functionName: string, ...args: unknown[]) =>
  client.writeContract({ address, abi: getArtifact(name).abi, functionName, args })

const connect = async (settings: Partial<NonNullable<ConfigInput['chains']>[number]> = {}): Promise<Chain> => {
  const chains = [{ id: node.chainId, rpcUrls: [node.url], headCacheTtl: 0, timeout: 20_000, ...settings }]
  const config = await readConfig({ environment: {}, folder: '/nonexistent', flags: { usePublicNodes: false, chains } })
  return createChains({ config, log: pino({ level: 'silent' }) }).get(node.chainId)
}

const head = async () => Number(await node.request('eth_blockNumber'))

describe('balances and tokens', () => {
  test('R27: native balance at the head and at an earlier block, with the block that it holds for', async () => {
    const chain = await connect()
    await client.sendTransaction({ to: alice, value: parseEther('1.5') })
    const then = await head()
    await client.sendTransaction({ to: alice, value: 1n })
    expect(await getNativeBalance(chain, { address: alice })).toMatchObject({
      balance: 1_500_000_000_000_000_001n,
      block: { number: then + 1, hash: (await client.getBlock()).hash },
    })
    expect(await getNativeBalance(chain, { address: alice, block: then })).toMatchObject({
      balance: 1_500_000_000_000_000_000n,
      block: { number: then },
    })
    await expect(getNativeBalance(chain, { address: alice, block: then + 99 })).rejects.toMatchObject({ code: 101 })
    node.faults.stateBlocks = 1
    await expect(getNativeBalance(chain, { address: bob, block: 1 })).rejects.toMatchObject({
      code: 108,
      message: 'No node configured for this chain keeps the state of blocks that old.',
    })
  })

  test('R27: many native balances at once, in one call where there is a multicall contract', async () => {
    const multicall = await deploy('Multicall3')
    const addresses = Array.from({ length: 40 }, () => createWallet().address.toLowerCase() as Hex)
    for (const [index, to] of addresses.slice(0, 5).entries())
      await client.sendTransaction({ to, value: BigInt(index + 1) })
    const expected = addresses.map((_, index) => (index < 5 ? BigInt(index + 1) : 0n))
    for (const contract of [multicall, false] as const) {
      node.faults.calls = {}
      const chain = await connect({ contracts: { multicall: contract } })
      expect((await getNativeBalances(chain, { addresses })).balances).toEqual(expected)
      expect(node.faults.calls.eth_getBalance).toBe(contract ? undefined : 40)
      if (contract) expect(node.faults.calls.eth_call).toBe(1)
    }
  })

  test('R27: metadata of tokens, of one from before the standard, and of what is none', async () => {
    const chain = await connect()
    const [token, old] = [await deploy('Token', 'Größe ✓', 'GR', 6), await deploy('OldToken')]
    const empty = await deploy('FixedAnswer', `0x${'ff'.repeat(64)}`)
    expect(await getTokenMetadata(chain, [token, old, alice, empty])).toEqual([
      { address: token, name: 'Größe ✓', symbol: 'GR', decimals: 6 },
      { address: old, name: 'Old Maker', symbol: 'OLD', decimals: 18 },
      { address: alice, name: undefined, symbol: undefined, decimals: undefined },
      { address: empty, name: undefined, symbol: undefined, decimals: undefined },
    ])
    node.faults.calls = {}
    expect((await getTokenMetadata(chain, [old, token]))[1]?.symbol).toBe('GR')
    expect(node.faults.calls).toEqual({})
    const spam = await deploy('Token', `\u202eTether\n<b>${'x'.repeat(2_000)}`, '\u200b\u3164', 0)
    expect(await getTokenMetadata(chain, [spam])).toEqual([
      { address: spam, name: `Tether <b>${'x'.repeat(190)}`, symbol: undefined, decimals: 0 },
    ])
  })

  test('a name that a stranger chose reads as it is written, on one line', () => {
    for (const text of [
      'Gold',
      '金',
      '👩🏽‍🚀 ❤️ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      'می\u200cخواهم',
      'हिन्दी',
      '<b>',
    ])
      expect(plainText(text)).toBe(text)
    expect(plainText('\u202eCDSU')).toBe('CDSU')
    expect(plainText('U\u200bS\u2060D\u200dC\ufeff\u{e0041}')).toBe('USDC')
    expect(plainText(' one\r\n\ttwo\u001b\u2028 ')).toBe('one two')
    expect(plainText(`Z${'\u0300'.repeat(99)}algo`)).toBe(`Z${'\u0300'.repeat(4)}algo`)
    for (const text of ['', ' \u00a0', '\u3164\u2800', '\ue000\ud800']) expect(plainText(text)).toBeUndefined()
  })

  test('SEC-29: a page of names that are made of nothing but tags holds nobody up', async () => {
    const name = '\u{e0061}'.repeat(1_000)
    const held = await longestHold(async () => {
      for (let times = 0; times < 500; times++) expect(plainText(name)).toBeUndefined()
    })
    expect(held).toBeLessThan(200)
  })

  test('R27: balances of given tokens and an allowance, now and then', async () => {
    const chain = await connect({ contracts: { multicall: await deploy('Multicall3') } })
    const tokens: Hex[] = []
    for (let index = 0; index < 12; index++) tokens.push(await deploy('Token', `Token ${index}`, `T${index}`, 18))
    for (const [index, token] of tokens.entries())
      if (index % 2) await write('Token', token, 'mint', alice, BigInt(index) ** 20n)
    const [first = zeroAddress] = tokens
    const then = await head()
    await write('Token', first, 'mint', alice, 4n)
    await write('Token', first, 'approve', bob, 2n ** 256n - 1n)
    const { balances } = await getTokenBalances(chain, { owner: alice, tokens: [...tokens, bob] })
    expect(balances.map(({ balance }) => balance)).toEqual([
      4n,
      ...Array.from({ length: 11 }, (_, index) => (index % 2 ? 0n : BigInt(index + 1) ** 20n)),
      undefined,
    ])
    const before = await getTokenBalances(chain, { owner: alice, tokens: [first], block: then })
    expect(before).toMatchObject({ balances: [{ token: first, balance: 0n }], block: { number: then } })
    const allowance = { token: first, owner: creator, spender: bob }
    expect((await getAllowance(chain, allowance)).allowance).toBe(2n ** 256n - 1n)
    expect((await getAllowance(chain, { ...allowance, block: then })).allowance).toBe(0n)
    await expect(getAllowance(chain, { ...allowance, token: alice })).rejects.toMatchObject({ code: 162 })
  })

  test('R27: which standard an NFT contract follows, and where its metadata lies', async () => {
    const chain = await connect()
    const pictures = await deploy('Pictures', 'Pictures', 'PIC')
    const badges = await deploy('Badges', 'Badges', 'BDG', 'https://x.example/{id}.json')
    await write('Pictures', pictures, 'mint', alice, 7n, 'ipfs://seven')
    const coin = await deploy('Coin')
    expect(await getNftContracts(chain, [pictures, badges, coin])).toEqual([
      { address: pictures, name: 'Pictures', symbol: 'PIC', kind: 'erc721' },
      { address: badges, name: 'Badges', symbol: 'BDG', kind: 'erc1155' },
      { address: coin, name: 'Coin', symbol: 'COIN', kind: undefined },
    ])
    expect(
      await getTokenUris(chain, [
        { token: pictures, tokenId: 7n, kind: 'erc721' },
        { token: pictures, tokenId: 8n, kind: 'erc721' },
        { token: badges, tokenId: 255n, kind: 'erc1155' },
      ]),
    ).toEqual(['ipfs://seven', undefined, `https://x.example/${'ff'.padStart(64, '0')}.json`])
  })

  test('a URI of nothing but places for the id does not become one of many megabytes', async () => {
    const chain = await connect({ contracts: { multicall: false } })
    const long = '{id}'.repeat(100_000)
    node.faults.answer = (method) =>
      method === 'eth_call' ? encodeAbiParameters([{ type: 'string' }], [long]) : undefined
    const [uri] = await getTokenUris(chain, [{ token: alice, tokenId: 1n, kind: 'erc1155' }])
    expect(uri?.length).toBe(long.length)
  })
})

describe('contract reads', () => {
  const abi = getArtifact('Shelf').abi

  test('R27: by name or in order, overloads, structures, lists; what comes back can be JSON', async () => {
    const chain = await connect()
    const shelf = await deploy('Shelf')
    await write('Shelf', shelf, 'put', 3n, { title: 'Moby Dick', pages: 635n })
    const call = (functionName: string, params: Record<string, unknown> | unknown[], given: unknown = abi) =>
      callContract(chain, { address: shelf, abi: given, functionName, params, from: alice })
    const looked = await call('look', { place: '3' })
    expect(toPlain(looked.value)).toEqual([
      { title: 'Moby Dick', pages: '635' },
      expect.stringMatching(new RegExp(alice, 'i')),
    ])
    expect((await call('sum', [['1', 2, '0x3']])).value).toBe(6n)
    expect((await call('sum', { parts: '[1,2]' }, JSON.stringify(abi))).value).toBe(3n)
    expect((await call('set(uint256,bool)', { to: 1, twice: true })).value).toBeUndefined()
    expect(looked.block.number).toBe(await head())
  })

  test('an ABI that is none, or nested without end, is refused in words', async () => {
    const chain = await connect()
    const coin = await deploy('Coin')
    const nested = (depth: number) =>
      `[{"type":"function","name":"f","inputs":${'[{"type":"tuple","components":'.repeat(depth)}[]${'}]'.repeat(depth)}}]`
    const item = (more: object) => [{ type: 'function', name: 'f', inputs: [], outputs: [], ...more }]
    for (const abi of [
      nested(14_000),
      nested(100),
      item({ name: 'a b(' }),
      item({ inputs: [{ type: `uint256${'[]'.repeat(10_000)}`, name: 'a' }] }),
      item({ inputs: [{ type: 'tuple', name: 'a' }] }),
      item({ inputs: [{ type: 'uint256', name: 5 }] }),
      item({ type: 'event', inputs: [null] }),
    ]) {
      const params = { a: `${'['.repeat(10_000)}1${']'.repeat(10_000)}` }
      await expect(callContract(chain, { address: coin, abi, functionName: 'f', params })).rejects.toMatchObject({
        code: 162,
      })
    }
    const [symbol, other] = [[{ name: 'symbol', outputs: [{ type: 'string' }] }], [{ type: 'event', name: 'Transfer' }]]
    expect(await callContract(chain, { address: coin, abi: symbol, functionName: 'symbol' })).toMatchObject({
      value: 'COIN',
    })
    expect((await getContractEvents(chain, { address: coin, abi: other, event: 'Transfer' })).events).toEqual([])
  })

  test('mistakes of the caller and refusals of the contract are distinguished, in words', async () => {
    const chain = await connect()
    const shelf = await deploy('Shelf')
    const call = (functionName: string, params: Record<string, unknown> | unknown[] = {}, address = shelf) =>
      callContract(chain, { address, abi, functionName, params })
    await expect(call('nothing')).rejects.toMatchObject({ code: 162, details: expect.stringContaining('look') })
    await expect(call('look')).rejects.toMatchObject({
      code: 162,
      message: 'The parameter place (uint256) is missing.',
    })
    await expect(call('look', { place: 'three' })).rejects.toMatchObject({ code: 162 })
    await expect(call('look', [-1])).rejects.toMatchObject({ code: 162 })
    await expect(call('set', { a: 1, b: 2, c: 3 })).rejects.toMatchObject({
      code: 162,
      details: expect.stringContaining('set(uint256,bool)'),
    })
    await expect(call('value', {}, alice)).rejects.toMatchObject({ code: 162 })
    await expect(call('refuse', [0])).rejects.toMatchObject({
      code: 142,
      message: 'The contract call reverted: closed on Sundays',
    })
    await expect(call('refuse', [1])).rejects.toMatchObject({ message: expect.stringMatching(/Refused\(0x.*, 5\)/) })
    await expect(call('refuse', [2])).rejects.toMatchObject({
      code: 142,
      message: expect.stringContaining('TooLate()'),
    })
    for (const bad of [
      '{',
      [],
      [5],
      [{ type: 'function' }],
      [{ type: 'x', name: 'y' }],
      [{ type: 'event', name: 'a', inputs: [{}] }],
    ])
      await expect(callContract(chain, { address: shelf, abi: bad, functionName: 'value' })).rejects.toMatchObject({
        code: 162,
      })
    expect(() => readAddress('0x12')).toThrow(expect.objectContaining({ code: 162 }))
  })
})

describe('blocks, transactions, logs', () => {
  test('R27: a block by number and hash, with receipts in one call or one by one', async () => {
    const token = await deploy('Token', 'One', 'ONE', 18)
    await node.request('evm_setAutomine', [false])
    const hashes = [
      await client.sendTransaction({ to: alice, value: 7n }),
      await write('Token', token, 'mint', bob, 5n),
    ]
    await node.mine()
    await node.request('evm_setAutomine', [true])
    const expected = await client.getBlock()
    const chain = await connect()
    const block = await getBlock(chain, Number(expected.number))
    expect(block).toMatchObject({
      number: Number(expected.number),
      hash: expected.hash,
      parentHash: expected.parentHash,
      timestamp: Number(expected.timestamp),
      stateRoot: expected.stateRoot,
      gasUsed: expected.gasUsed,
      size: Number(expected.size),
      transactionHashes: hashes,
    })
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })))
    expect(block.transactions.map(({ receipt }) => receipt?.gasUsed)).toEqual(receipts.map(({ gasUsed }) => gasUsed))
    expect(block.transactions[0]).toMatchObject({
      from: creator,
      to: alice,
      value: 7n,
      index: 0,
      receipt: { status: true, logs: [] },
    })
    expect(block.transactions[1]?.receipt?.logs).toMatchObject([
      { address: token, logIndex: 0, data: toHex(5n, { size: 32 }) },
    ])
    node.faults.missing = ['eth_getBlockReceipts']
    const other = await connect()
    expect(await getBlock(other, expected.hash)).toEqual(block)
    expect(await getBlock(other, 'latest')).toEqual(block)
    await expect(getBlock(other, 99_999)).rejects.toMatchObject({ code: 101 })
    await expect(getBlock(other, `0x${'ab'.repeat(32)}`)).rejects.toMatchObject({ code: 101 })
  })

  test('receipts of another branch are not taken for those of the block', async () => {
    await client.sendTransaction({ to: alice, value: 7n })
    const { number, hash } = await client.getBlock()
    let lies = 2
    node.faults.answer = (method, _params, real) => {
      if (!/Receipt/.test(method) || lies-- <= 0) return undefined
      return JSON.parse(JSON.stringify(real).replaceAll(hash, `0x${'ee'.repeat(32)}`))
    }
    const block = await getBlock(await connect(), Number(number))
    expect(block.transactions[0]?.block?.hash).toBe(hash)
    lies = 1_000
    await expect(getBlock(await connect(), Number(number))).rejects.toMatchObject({ code: 100 })
  })

  test('R27: a transaction with its logs; an unknown one; one that was undone', async () => {
    const chain = await connect()
    const token = await deploy('Token', 'One', 'ONE', 18)
    node.finality = 10
    const hash = await write('Token', token, 'mint', alice, 5n)
    const expected = await client.getTransactionReceipt({ hash })
    const found = await getTransaction(chain, hash)
    expect(found).toMatchObject({
      hash,
      from: creator,
      to: token,
      block: { number: Number(expected.blockNumber), hash: expected.blockHash },
      receipt: { status: true, gasUsed: expected.gasUsed, effectiveGasPrice: expected.effectiveGasPrice },
    })
    const [log] = found.receipt?.logs ?? []
    expect(log && (await decodeLog(log))).toMatchObject({
      label: 'Transfer',
      signature: 'Transfer(address,address,uint256)',
      params: [{ name: 'from', value: zeroAddress }, { name: 'to' }, { name: 'value', type: 'uint256', value: 5n }],
    })
    expect(await decodeCall(found.input)).toBeUndefined()
    expect(await decodeCall(found.input, getArtifact('Token').abi)).toMatchObject({
      label: 'mint',
      params: [{}, { value: 5n }],
    })
    await node.reorg(1)
    await expect(getTransaction(chain, hash)).rejects.toMatchObject({ code: 101 })
    node.finality = 0
  })

  test('events and calls of the standards are distinguished by their topics', async () => {
    const chain = await connect()
    const [pictures, badges] = [await deploy('Pictures', 'P', 'P'), await deploy('Badges', 'B', 'B', 'x')]
    const logsOf = async (hash: Hex) => (await getTransaction(chain, hash)).receipt?.logs ?? []
    const [minted] = await logsOf(await write('Pictures', pictures, 'mint', creator, 9n, ''))
    expect(minted && (await decodeLog(minted))?.params.at(-1)).toMatchObject({ name: 'tokenId', value: 9n })
    const [batch] = await logsOf(await write('Badges', badges, 'mintBatch', creator, [1n, 2n], [3n, 4n]))
    expect(batch && (await decodeLog(batch))).toMatchObject({ label: 'TransferBatch' })
    expect(batch && (await decodeLog(batch))?.params.slice(3).map(({ value }) => value)).toEqual([
      [1n, 2n],
      [3n, 4n],
    ])
    const moved = await write('Badges', badges, 'safeTransferFrom', creator, alice, 1n, 2n, '0x')
    expect(await decodeCall((await getTransaction(chain, moved)).input)).toMatchObject({
      signature: 'safeTransferFrom(address,address,uint256,uint256,bytes)',
    })
    expect(await decodeLog({ topics: [`0x${'12'.repeat(32)}`], data: '0x' })).toBeUndefined()
    expect(await decodeCall('0xa9059cbb00')).toBeUndefined()
  })

  test('R27: logs of a range, whole or in the pieces that a node allows, up or down, and up to a limit', async () => {
    const chain = await connect()
    const token = await deploy('Token', 'One', 'ONE', 18)
    const from = (await head()) + 1
    for (let index = 0; index < 24; index++) {
      if (index % 4 === 0) await write('Token', token, 'mint', alice, BigInt(index))
      else await node.mine()
    }
    const amounts = (logs: { data: Hex }[]) => logs.map(({ data }) => Number(data))
    const all = [0, 4, 8, 12, 16, 20]
    const filter = { address: token, fromBlock: from }
    expect(amounts((await getLogs(chain, filter)).logs)).toEqual(all)
    node.faults.maxRange = 5
    const limited = await connect()
    const pieces = await getLogs(limited, { ...filter, order: 'desc' })
    expect(amounts(pieces.logs)).toEqual(all.toReversed())
    expect(pieces).toMatchObject({ complete: true, fromBlock: from, toBlock: await head() })
    const some = await getLogs(limited, { ...filter, limit: 2 })
    expect(amounts(some.logs)).toEqual([0, 4])
    expect(some.complete).toBe(false)
    const rest = await getLogs(limited, { ...filter, fromBlock: some.toBlock + 1 })
    expect(amounts(rest.logs)).toEqual(all.slice(2))
    delete node.faults.maxRange
    node.faults.maxLogs = 1
    expect(amounts((await getLogs(await connect(), filter)).logs)).toEqual(all)
    node.faults.maxLogs = 2
    const topics = [null, null, toHex(BigInt(alice), { size: 32 })]
    expect((await getLogs(await connect(), { ...filter, topics })).logs).toHaveLength(6)
    expect((await getLogs(chain, { ...filter, topics: [keccak256('0x00')] })).logs).toEqual([])
  })

  test('what nodes say of ranges', () => {
    const table: [string, number | undefined][] = [
      ['query exceeds max block range 1000', 1_000],
      ['eth_getLogs is limited to a 10,000 range', 10_000],
      ['eth_getLogs and eth_newFilter are limited to a 2k block range', 2_000],
      ['You can make eth_getLogs requests with up to a 500 block range', 500],
      ['Try with this block range [0x64, 0x6d].', 10],
      ['query returned more than 10000 results', undefined],
      ['something else', undefined],
    ]
    for (const [said, range] of table) expect([said, suggestRange(said, 0, 99_999)]).toEqual([said, range])
  })

  test('R27: events of a contract, decoded, by topic, name or alone', async () => {
    const chain = await connect()
    const token = await deploy('Token', 'One', 'ONE', 18)
    await write('Token', token, 'mint', alice, 3n)
    await write('Token', token, 'approve', bob, 9n)
    const abi = getArtifact('Token').abi
    const transfer = keccak256(toHex('Transfer(address,address,uint256)'))
    const { events } = await getContractEvents(chain, { address: token, abi, event: transfer })
    expect(events).toMatchObject([{ decoded: { label: 'Transfer', params: [{}, {}, { name: 'value', value: 3n }] } }])
    const only = abi.filter((item) => item.type === 'event' && item.name === 'Approval')
    expect((await getContractEvents(chain, { address: token, abi: only })).events).toHaveLength(1)
    await expect(getContractEvents(chain, { address: token, abi, event: 'Nothing' })).rejects.toMatchObject({
      code: 162,
    })
    await expect(getContractEvents(chain, { address: token, abi })).rejects.toMatchObject({ code: 162 })
  })

  test('R27: the block of a date, on blocks of uneven times', async () => {
    const times: number[] = []
    let time = Number((await client.getBlock()).timestamp) + day
    const first = (await head()) + 1
    for (let index = 0; index < 120; index++) {
      time += index % 7 === 0 ? 3_600 : (index * 37) % 50
      await node.request('evm_setNextBlockTimestamp', [time])
      await node.mine()
      times.push(time)
    }
    const chain = await connect({ headCacheTtl: 60_000, finality: 0 })
    for (let index = 0; index < 119; index += 6) {
      for (const wanted of [times[index] ?? 0, (times[index] ?? 0) + 1]) {
        const expected = times.findLastIndex((each) => each <= wanted)
        const found = await dateToBlock(chain, new Date(wanted * 1_000))
        expect([wanted, found.number, found.timestamp]).toEqual([wanted, first + expected, times[expected]])
      }
    }
    expect((await dateToBlock(chain, new Date(0))).number).toBe(0)
    expect((await dateToBlock(chain, new Date(time * 1_000 + 1e9))).number).toBe(first + 119)
  })

  test('R27: internal transactions by traces of either kind; without traces it says so', async () => {
    const chain = await connect()
    const payer = await deploy('Payer')
    const [first, second] = [createWallet().address.toLowerCase() as Hex, createWallet().address.toLowerCase() as Hex]
    const hash = await client.writeContract({
      address: payer,
      abi: getArtifact('Payer').abi,
      functionName: 'pay',
      args: [first, second],
      value: 11n,
    })
    const { transactions, block } = await getInternalTransactions(chain, hash)
    expect(block.number).toBe(await head())
    const purse = transactions[1]?.to
    expect(transactions.map(({ type, from, to, value, depth }) => ({ type, from, to, value, depth }))).toEqual([
      { type: 'CALL', from: payer, to: first, value: 5n, depth: 1 },
      { type: 'CREATE', from: payer, to: purse, value: 6n, depth: 1 },
      { type: 'CALL', from: payer, to: purse, value: 0n, depth: 1 },
      { type: 'CALL', from: purse, to: second, value: 6n, depth: 2 },
      { type: 'CALL', from: payer, to: payer, value: 0n, depth: 1 },
    ])
    expect(transactions.map(({ error }) => error !== undefined)).toEqual([false, false, false, false, true])

    node.faults.missing = ['debug_traceTransaction']
    const parity = [
      {
        type: 'call',
        traceAddress: [],
        action: { from: creator, to: payer, value: '0xb', gas: '0x1', input: '0x' },
        result: {},
      },
      {
        type: 'call',
        traceAddress: [0],
        action: { callType: 'call', from: payer, to: first, value: '0x5', gas: '0x8fc', input: '0x' },
        result: { gasUsed: '0x0', output: '0x' },
      },
    ]
    node.faults.answer = (method) => (method === 'trace_transaction' ? parity : undefined)
    expect((await getInternalTransactions(await connect(), hash)).transactions).toMatchObject([
      { type: 'CALL', from: payer, to: first, value: 5n, depth: 1, gas: 2_300n },
    ])
    delete node.faults.answer
    node.faults.missing = ['debug_traceTransaction', 'trace_transaction']
    await expect(getInternalTransactions(await connect(), hash)).rejects.toMatchObject({
      code: 108,
      status: 400,
      message: expect.stringContaining('has traces'),
    })
  })
})

describe('names', () => {
  test('R27: forward, reverse only where it leads back, text, avatars', async () => {
    const [registry, resolver] = [await deploy('NameRegistry'), await deploy('NameResolver')]
    const own = (parent: string, label: string, by: Hex | typeof zeroAddress = resolver) =>
      write(
        'NameRegistry',
        registry,
        'setSubnodeRecord',
        parent ? namehash(parent) : `0x${'0'.repeat(64)}`,
        labelhash(label),
        creator,
        by,
        0n,
      )
    const point = (name: string, to: Hex) => write('NameResolver', resolver, 'setAddr', namehash(name), to)
    const claim = async (address: Hex, name: string) => {
      await own('addr.reverse', address.slice(2))
      await write('NameResolver', resolver, 'setName', namehash(`${address.slice(2)}.addr.reverse`), name)
    }
    const say = (name: string, key: string, text: string) =>
      write('NameResolver', resolver, 'setText', namehash(name), key, text)
    await own('', 'eth', zeroAddress)
    await own('', 'reverse', zeroAddress)
    await own('reverse', 'addr', zeroAddress)
    await own('eth', 'alice')
    await own('eth', 'empty')
    await point('alice.eth', alice)
    const chain = await connect({ contracts: { ensRegistry: registry } })

    expect(await resolveName(chain, 'Alice.eth')).toMatchObject({
      name: 'alice.eth',
      address: alice,
      resolver,
      block: { number: await head() },
    })
    expect(await resolveName(chain, 'empty.eth')).toBeUndefined()
    expect(await resolveName(chain, 'nobody.eth')).toBeUndefined()
    for (const bad of ['', 'eth', 'a..eth', 'al ice.eth', `${'a'.repeat(300)}.eth`])
      await expect(resolveName(chain, bad)).rejects.toMatchObject({ code: 162 })
    await expect(resolveName(await connect(), 'alice.eth')).rejects.toMatchObject({ code: 108 })

    expect(await reverseName(chain, alice)).toBeUndefined()
    await claim(alice, 'alice.eth')
    expect(await reverseName(chain, alice)).toMatchObject({ name: 'alice.eth' })
    // Bob claims a name that is not his, one that is no name, and one in a wrong spelling.
    for (const forged of ['alice.eth', 'nobody.eth', 'not a name', '']) {
      await claim(bob, forged)
      expect(await reverseName(chain, bob)).toBeUndefined()
    }
    await claim(alice, 'ALICE.eth')
    expect(await reverseName(chain, alice)).toBeUndefined()

    expect(await findTextRecord(chain, 'alice.eth', 'url')).toBeUndefined()
    await say('alice.eth', 'url', 'https://alice.example')
    expect(await findTextRecord(chain, 'alice.eth', 'url')).toBe('https://alice.example')
    expect(await findAvatar(chain, 'alice.eth')).toBeUndefined()
    await say('alice.eth', 'avatar', 'ipfs://picture')
    expect(await findAvatar(chain, 'alice.eth')).toEqual({ kind: 'url', url: 'ipfs://picture' })
    await say('alice.eth', 'avatar', 'javascript:alert(1)')
    expect(await findAvatar(chain, 'alice.eth')).toBeUndefined()
    const pictures = await deploy('Pictures', 'P', 'P')
    await write('Pictures', pictures, 'mint', alice, 1n, 'https://x.example/1')
    await write('Pictures', pictures, 'mint', bob, 2n, 'https://x.example/2')
    await say('alice.eth', 'avatar', `eip155:${node.chainId}/erc721:${pictures}/1`)
    expect(await findAvatar(chain, 'alice.eth')).toEqual({
      kind: 'nft',
      token: pictures,
      tokenId: 1n,
      standard: 'erc721',
      uri: 'https://x.example/1',
    })
    await say('alice.eth', 'avatar', `eip155:${node.chainId}/erc721:${pictures}/2`)
    expect(await findAvatar(chain, 'alice.eth')).toBeUndefined()
  })

  test('R27: a parent that resolves for its names (ENSIP-10)', async () => {
    const registry = await deploy('NameRegistry')
    const answer = encodeAbiParameters([{ type: 'bytes' }], [encodeAbiParameters([{ type: 'address' }], [bob])])
    const wildcard = await deploy('FixedAnswer', answer)
    await write(
      'NameRegistry',
      registry,
      'setSubnodeRecord',
      `0x${'0'.repeat(64)}`,
      labelhash('many'),
      creator,
      wildcard,
      0n,
    )
    const chain = await connect({ contracts: { ensRegistry: registry } })
    expect(await resolveName(chain, 'any.one.many')).toMatchObject({ address: bob })
  })

  test('a name of very many labels costs one hash for each, not one for each pair', async () => {
    const labels = Array.from({ length: 127 }, (_, place) => String.fromCharCode(97 + (place % 26)))
    await nameHash('alice.eth')
    const before = process.cpuUsage()
    const { node: own, parents } = await nameHash(labels.join('.'))
    const { user } = process.cpuUsage(before)
    expect([own, ...parents]).toEqual(labels.map((_, place) => namehash(labels.slice(place).join('.'))))
    // Together they would take some hundreds of milliseconds.
    expect(user).toBeLessThan(150_000)
  })
})

describe('pools and prices', () => {
  test('R27: pairs, reserves and prices of v2 and v3 pools; the deepest counts; unknown is unknown', async () => {
    const [v2, v3] = [await deploy('PairFactory'), await deploy('PoolFactory')]
    const [weth, usdc] = [
      await deploy('Token', 'Wrapped Ether', 'WETH', 18),
      await deploy('Token', 'USD Coin', 'USDC', 6),
    ]
    const [cat, dog, lone] = [
      await deploy('Token', 'Cat', 'CAT', 18),
      await deploy('Token', 'Dog', 'DOG', 8),
      await deploy('Token', 'Lone', 'LONE', 18),
    ]
    const fill = async (pool: Hex, ...parts: [Hex, bigint][]) => {
      for (const [token, amount] of parts) await write('Token', token, 'mint', pool, amount)
    }
    const createPair = async (...parts: [[Hex, bigint], [Hex, bigint]]) => {
      await write('PairFactory', v2, 'createPair', parts[0][0], parts[1][0])
      const { number } = await client.getBlock()
      const pair = (await client.readContract({
        address: v2,
        abi: getArtifact('PairFactory').abi,
        functionName: 'getPair',
        args: [parts[0][0], parts[1][0]],
        blockNumber: number,
      })) as string
      await fill(pair.toLowerCase() as Hex, ...parts)
      await write('Pair', pair as Hex, 'sync')
      return pair.toLowerCase() as Hex
    }
    const createPool = async (fee: number, price: bigint, ...parts: [[Hex, bigint], [Hex, bigint]]) => {
      await write('PoolFactory', v3, 'createPool', parts[0][0], parts[1][0], fee)
      const pool = (await client.readContract({
        address: v3,
        abi: getArtifact('PoolFactory').abi,
        functionName: 'getPool',
        args: [parts[0][0], parts[1][0], fee],
      })) as string
      await fill(pool.toLowerCase() as Hex, ...parts)
      await write('Pool', pool as Hex, 'set', price, 1n)
      return pool.toLowerCase() as Hex
    }
    const ether = (amount: number) => parseEther(String(amount))
    const dollars = (amount: number) => BigInt(amount) * 1_000_000n
    // 1 WETH = 2,000 USDC; 1 CAT = 0.0005 WETH = 1 USDC; a shallow pool says that a CAT is worth 50.
    const main = await createPair([weth, ether(100)], [usdc, dollars(200_000)])
    const catPair = await createPair([cat, ether(20_000)], [weth, ether(10)])
    await createPair([cat, ether(1)], [usdc, dollars(50)])
    // A DOG (8 decimals) is 4 USDC (6 decimals): token1 / token0 by smallest units is 0.04 or 25.
    const ratio = (numerator: bigint, denominator: bigint) => sqrt((numerator << 192n) / denominator)
    const dogFirst = dog < usdc
    const dogPrice = dogFirst ? ratio(4_000_000n, 100_000_000n) : ratio(100_000_000n, 4_000_000n)
    const dogPool = await createPool(500, dogPrice, [dog, 1_000n], [usdc, dollars(5_000)])
    await createPool(3_000, dogPrice / 2n, [dog, 1_000n], [usdc, dollars(50)])

    const contracts = {
      multicall: await deploy('Multicall3'),
      v2: [{ name: 'pairs', factory: v2 }],
      v3: [{ name: 'pools', factory: v3 }],
      wrapped: weth,
      stablecoins: [usdc],
    }
    const chain = await connect({ contracts, headCacheTtl: 60_000 })
    await chain.head()
    node.faults.calls = {}
    const [catPrice, dogsPrice, lonePrice, wethPrice, nobody] = await getTokenPrices(chain, {
      tokens: [cat, dog, lone, weth, alice],
    })
    expect(node.faults.calls.eth_call).toBe(3)
    expect(catPrice).toMatchObject({
      token: { symbol: 'CAT' },
      native: { value: parseEther('0.0005'), decimals: 18 },
      usd: { value: parseEther('1'), decimals: 18 },
      source: { exchange: 'pairs', kind: 'v2', pool: catPair, quote: weth, depth: ether(10) },
      block: { number: await head() },
    })
    expect(dogsPrice?.source).toMatchObject({ exchange: 'pools', kind: 'v3', pool: dogPool, quote: usdc })
    expect(Number(dogsPrice?.usd?.value) / 1e18).toBeCloseTo(4, 5)
    expect(Number(dogsPrice?.native?.value) / 1e18).toBeCloseTo(0.002, 8)
    expect(wethPrice).toMatchObject({
      native: { value: ether(1) },
      usd: { value: ether(2_000) },
      source: { pool: main },
    })
    expect([lonePrice, nobody]).toEqual([undefined, undefined])
    // However many of them there are: the pool holds 10 WETH.
    if (!catPrice || !wethPrice) throw new Error('There are no prices.')
    expect(getUsdValue(catPrice, ether(3), 18)).toBe(ether(3))
    expect(getUsdValue(catPrice, 2n ** 256n - 1n, 18)).toBe(ether(20_000))
    expect(getUsdValue(wethPrice, ether(1_000_000), 18)).toBe(ether(2_000_000_000))
    expect(await getTokenPrices(chain, { tokens: [cat], exchange: 'pools' })).toEqual([undefined])
    await expect(getTokenPrices(chain, { tokens: [cat], exchange: 'nowhere' })).rejects.toMatchObject({ code: 162 })
    await expect(getTokenPrices(await connect(), { tokens: [cat] })).rejects.toMatchObject({ code: 108 })

    expect(await getPairAddress(chain, { tokenA: weth, tokenB: cat, exchange: 'pairs' })).toMatchObject({
      pair: catPair,
      token0: cat < weth ? cat : weth,
    })
    expect((await getPairAddress(chain, { tokenA: dog, tokenB: usdc, exchange: 'pools' })).pair).toBe(dogPool)
    await expect(getPairAddress(chain, { tokenA: dog, tokenB: cat, exchange: 'pairs' })).rejects.toMatchObject({
      code: 101,
    })
    await expect(getPairAddress(chain, { tokenA: dog, tokenB: cat, exchange: 'x' })).rejects.toMatchObject({
      code: 162,
    })
    const catFirst = cat < weth
    expect(await getPairReserves(chain, { pair: catPair })).toMatchObject({
      reserve0: catFirst ? ether(20_000) : ether(10),
      reserve1: catFirst ? ether(10) : ether(20_000),
    })
    await expect(getPairReserves(chain, { pair: alice })).rejects.toMatchObject({ code: 162 })
  })
})

function sqrt(value: bigint): bigint {
  let root = 1n << BigInt(value.toString(2).length >> 1)
  for (let next = (root + value / root) >> 1n; next !== root && next !== root - 1n; next = (root + value / root) >> 1n)
    root = next
  return root
}
