import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from './Chain.ts'
import { createDeployerClient } from './createDeployerClient.ts'
import { deployContract } from './deployContract.ts'
import { getArtifact } from './getArtifact.ts'
import { startChain } from './startChain.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

type Block = { number: string; hash: string; parentHash: string }
const getBlock = (tag: string | number) =>
  chain.request('eth_getBlockByNumber', [
    typeof tag === 'number' ? `0x${tag.toString(16)}` : tag,
    false,
  ]) as Promise<Block>

const post = async (method: string, params: unknown[] = []) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(chain.url, { method: 'POST', body })
  return response.ok
    ? ((await response.json()) as { result?: unknown; error?: { code: number; message: string } })
    : response
}

test('blocks are taken back and another branch grows, longer by one', async () => {
  await chain.mine(40)
  const old = await Promise.all(Array.from({ length: 42 }, (_, number) => getBlock(number)))
  const tip = Number((await getBlock('latest')).number)
  await chain.reorg(30)
  expect(Number((await getBlock('latest')).number)).toBe(tip + 1)
  for (let number = 0; number <= tip; number++) {
    const { hash, parentHash } = await getBlock(number)
    if (number > tip - 30) expect(hash).not.toBe(old[number]?.hash)
    else expect(hash).toBe(old[number]?.hash)
    if (number > 0) expect(parentHash).toBe((await getBlock(number - 1)).hash)
  }
})

test('the new branch has its own transactions, not those of the old one', async () => {
  const client = createDeployerClient(chain)
  const dropped = await client.sendTransaction({ to: `0x${'11'.repeat(20)}`, value: 5n })
  await chain.mine(2)
  let sent = ''
  await chain.reorg(3, async () => {
    sent = await client.sendTransaction({ to: `0x${'22'.repeat(20)}`, value: 7n })
  })
  expect(await client.getBalance({ address: `0x${'11'.repeat(20)}` })).toBe(0n)
  expect(await client.getBalance({ address: `0x${'22'.repeat(20)}` })).toBe(7n)
  expect(await chain.request('eth_getTransactionReceipt', [dropped])).toBeNull()
  expect(await chain.request('eth_getTransactionReceipt', [sent])).toMatchObject({ status: '0x1' })
  // The new branch can be taken back in turn.
  await chain.reorg(4)
  expect(await client.getBalance({ address: `0x${'22'.repeat(20)}` })).toBe(0n)
})

test('finality, receipts of a block and traces', async () => {
  chain.finality = 5
  const tip = Number((await getBlock('latest')).number)
  expect(Number((await getBlock('finalized')).number)).toBe(tip - 5)
  chain.finality = 0
  await deployContract(chain, getArtifact('Coin'))
  const { number, hash } = await getBlock('latest')
  const receipts = (await chain.request('eth_getBlockReceipts', [number])) as {
    transactionHash: string
    blockHash: string
  }[]
  expect(receipts).toMatchObject([{ blockHash: hash }])
  expect(await chain.request('eth_getBlockReceipts', [hash])).toEqual(receipts)
  expect(
    await chain.request('debug_traceTransaction', [receipts[0]?.transactionHash, { tracer: 'callTracer' }]),
  ).toMatchObject({ type: 'CREATE' })
})

test('limits of providers', async () => {
  chain.faults.maxRange = 3
  expect(await post('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x3' }])).toMatchObject({ error: { code: -32000 } })
  expect(await post('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x3' }])).toHaveProperty('result')
  delete chain.faults.maxRange
  chain.faults.stateBlocks = 2
  const address = `0x${'22'.repeat(20)}`
  expect(await post('eth_getBalance', [address, '0x1'])).toMatchObject({ error: { message: /^missing trie node/ } })
  expect(await post('eth_getBalance', [address, 'latest'])).toMatchObject({ result: '0x0' })
  delete chain.faults.stateBlocks
  chain.faults.missing = ['eth_getBlockReceipts']
  expect(await post('eth_getBlockReceipts', ['latest'])).toMatchObject({ error: { code: -32601 } })
  delete chain.faults.missing
  chain.faults.lag = 3
  const tip = await chain.request('eth_blockNumber')
  expect(await post('eth_blockNumber')).toMatchObject({ result: `0x${(Number(tip) - 3).toString(16)}` })
  expect(await post('eth_getBalance', [address, tip])).toMatchObject({ error: { message: 'header not found' } })
  delete chain.faults.lag
  chain.faults.rps = 1
  const answers = await Promise.all([1, 2, 3, 4].map(() => post('eth_chainId')))
  expect(answers.some((answer) => 'status' in answer && answer.status === 429)).toBe(true)
})
