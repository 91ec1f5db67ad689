import { encodeAbiParameters, parseEther, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { alice, bob, createContracts, creator } from '../../testing/chain/createContracts.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { longestHold } from '../../testing/longestHold.ts'
import type { Hex } from '../nodes/Chain.ts'
import { readAddress } from '../tokenGates/tokenGates.ts'
import { plainText, readAbi, toPlain } from './abi.ts'
import { callContract } from './callContract.ts'
import { chooseEvent } from './getLogs.ts'
import { getNativeBalance, getNativeBalances } from './nativeBalances.ts'
import { getAllowance, getNftContracts, getTokenBalances, getTokenMetadata, getTokenUris } from './tokens.ts'

let node: TestChain
let client: ReturnType<typeof createDeployerClient>

beforeAll(async () => {
  node = await (await import('../../testing/chain/startChain.ts')).startChain()
  client = createDeployerClient(node)
})
afterAll(() => node.stop())

const { connect, head, deploy, write, clearFaults } = createContracts(() => node)

afterEach(clearFaults)

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

  test('R27: metadata of tokens, of an older one, and of other contracts', async () => {
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

  test('SEC-29: a page of names made only of tags delays no other caller', async () => {
    const name = '\u{e0061}'.repeat(1_000)
    const held = await longestHold({ below: 200 }, async () => {
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

  test('R27: detects the standard of an NFT contract, and the location of its metadata', async () => {
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

  test('R27: by name or in order, overloads, structures, lists; results can be JSON', async () => {
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

  test('rejects an invalid or endlessly nested ABI with a sentence', async () => {
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
    expect(await chooseEvent(await readAbi(other), 'Transfer')).toMatchObject({ name: 'Transfer' })
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
