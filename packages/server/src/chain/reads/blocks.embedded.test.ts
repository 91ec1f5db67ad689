import { keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { alice, bob, createContracts, creator, day } from '../../testing/chain/createContracts.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import type { Hex } from '../nodes/Chain.ts'
import { decodeCall, decodeLog, readAbi } from './abi.ts'
import { dateToBlock, getBlock } from './blocks.ts'
import { chooseEvent, getLogs, suggestRange } from './getLogs.ts'
import { getInternalTransactions, getTransaction } from './transactions.ts'

let node: TestChain
let client: ReturnType<typeof createDeployerClient>

beforeAll(async () => {
  node = await (await import('../../testing/chain/startChain.ts')).startChain()
  client = createDeployerClient(node)
})
afterAll(() => node.stop())

const { deploy, write, connect, head, clearFaults } = createContracts(() => node)

afterEach(clearFaults)

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

  test('node messages about ranges', () => {
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

  test('R27: the event of an ABI by topic, by name or alone', async () => {
    const abi = await readAbi(getArtifact('Token').abi)
    const transfer = keccak256(toHex('Transfer(address,address,uint256)'))
    for (const wanted of [transfer, 'Transfer', 'Transfer(address, address, uint256)'])
      expect(await chooseEvent(abi, wanted)).toMatchObject({ name: 'Transfer' })
    const only = abi.filter((item) => item.type === 'event' && item.name === 'Approval')
    expect(await chooseEvent(only, undefined)).toMatchObject({ name: 'Approval' })
    await expect(chooseEvent(abi, 'Nothing')).rejects.toMatchObject({ code: 162 })
    await expect(chooseEvent(abi, undefined)).rejects.toMatchObject({ code: 162 })
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
      message: expect.stringContaining('supports traces'),
    })
  })
})
