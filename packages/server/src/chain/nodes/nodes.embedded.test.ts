import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { connect, createLatch, failure, holder, patience, resetFaults } from '../../testing/chain/connectNodes.ts'
import { RpcError } from '../../testing/chain/RpcError.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { longestHold } from '../../testing/longestHold.ts'
import { post } from './createNode.ts'
import type { NodeError } from './NodeError.ts'

let first: TestChain
let second: TestChain
let stranger: TestChain

beforeAll(async () => {
  ;[first, second, stranger] = await Promise.all([startChain(), startChain(), startChain({ chainId: 5 })])
})
afterAll(() => Promise.all([first.stop(), second.stop(), stranger.stop()]))
afterEach(() => resetFaults(first, second, stranger))

describe('nodes', () => {
  test('calls of one moment travel in one request, and equal ones are one', async () => {
    const chain = await connect([first])
    await chain.head()
    first.faults.requests = 0
    const answers = await Promise.all([
      chain.request('eth_getBalance', [holder, 'latest']),
      chain.request('eth_getBalance', [holder, 'latest']),
      chain.request('eth_gasPrice'),
      chain.request('eth_getCode', [holder, 'latest']),
    ])
    expect(answers[0]).toBe('0x0')
    expect(first.faults.requests).toBe(1)
    expect(first.faults.calls).toMatchObject({ eth_getBalance: 1, eth_getCode: 1, eth_gasPrice: 1 })
  })

  test('batches are bounded', async () => {
    const chain = await connect([first], { batchSize: 10 })
    await chain.head()
    first.faults.requests = 0
    const calls = Array.from({ length: 95 }, (_, index) => ({
      method: 'eth_getBalance',
      params: [`0x${index.toString(16).padStart(40, '0')}`, 'latest'],
    }))
    const outcomes = await chain.batch(calls)
    expect(outcomes).toHaveLength(95)
    expect(outcomes.every((outcome) => 'result' in outcome)).toBe(true)
    expect(first.faults.requests).toBe(10)
  })

  test('each of a batch has its own outcome', async () => {
    const chain = await connect([first])
    const [good, bad] = await chain.batch([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_call', params: [{ data: '0x60ff60005260206000fd' }, 'latest'] },
    ])
    expect(good).toEqual({ result: '0x7a69' })
    expect(bad).toMatchObject({ error: { kind: 'revert', code: 142, data: `0x${'0'.repeat(62)}ff` } })
  })

  test('a node that takes no batches gets its calls one by one', async () => {
    first.faults.noBatch = true
    const chain = await connect([first])
    const outcomes = await chain.batch(
      [1, 2, 3].map((number) => ({
        method: 'eth_getBalance',
        params: [`0x${String(number).padStart(40, '0')}`, 'latest'],
      })),
    )
    expect(outcomes.every((outcome) => 'result' in outcome)).toBe(true)
    await chain.head()
    expect(chain.nodes()[0]).toMatchObject({ status: 'ready', failures: 0 })
  })

  test.each<[string, (faults: TestChain['faults']) => void]>([
    ['is down', (faults) => Object.assign(faults, { down: true })],
    ['is slow', (faults) => Object.assign(faults, { latencyMs: 20_000 })],
    ['answers with status 500', (faults) => Object.assign(faults, { status: 500 })],
    ['answers with status 429', (faults) => Object.assign(faults, { status: 429 })],
    ['answers with a page', (faults) => Object.assign(faults, { body: '<h1>Welcome</h1>' })],
    ['answers with other JSON', (faults) => Object.assign(faults, { body: '{"hello":"world"}' })],
    [
      'is of another chain',
      (faults) => Object.assign(faults, { answer: (method: string) => (method === 'eth_chainId' ? '0x1' : undefined) }),
    ],
  ])('the next one is asked where a node %s', async (name, fail) => {
    const chain = await connect([first, second], name === 'is slow' ? { timeout: 2_000 } : {})
    if (name !== 'is of another chain') await chain.request('eth_gasPrice')
    fail(first.faults)
    expect(await chain.request('eth_getBalance', [holder, 'latest'])).toBe('0x0')
    expect(second.faults.calls.eth_getBalance).toBe(1)
    expect(chain.nodes()[0]).toMatchObject({ failures: expect.any(Number), host: new URL(first.url).host })
    expect(chain.nodes()[0]?.lastError).toBeTruthy()
  })

  test('SEC-57: a response of many small values is cut off before it is parsed, for any chunks', async () => {
    const chain = await connect([first, second])
    await chain.request('eth_gasPrice')
    const many = (part: string, count = 400_000) => `{"id":0,"result":[${Array(count).fill(part).join(',')}]}`
    const named = `{"id":0,"result":{${Array.from({ length: 200_000 }, (_, index) => `"n${index}":1`).join(',')}}}`
    const deep = `{"id":0,"result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    for (const body of [many('{}'), many('[]'), many('{"a":1}', 200_000), many('1'), named, deep]) {
      resetFaults(first, second)
      first.faults.body = body
      const held = await longestHold({ below: 50 }, async () => {
        await expect(post(first.url, [{ method: 'eth_getBalance', params: [] }], 20_000)).rejects.toMatchObject({
          message: 'its response is too large',
        })
      })
      expect(held).toBeLessThan(50)
      // The next node responds instead.
      expect(await chain.request('eth_getBalance', [holder, 'latest'])).toBe('0x0')
    }
    // As many logs as nodes send at once, with texts that look like much.
    const log = {
      address: holder,
      topics: [holder, holder, holder],
      data: '0x',
      removed: false,
      a: 1,
      b: 2,
      c: 3,
      d: 4,
      e: 5,
    }
    first.faults.body = JSON.stringify({ id: 0, result: Array(10_000).fill(log), text: '\\"{},[:'.repeat(500_000) })
    const { body } = await post(first.url, [{ method: 'eth_getLogs', params: [] }], 20_000)
    expect((body as { result: object[] }).result).toHaveLength(10_000)
  })

  test('a recovered node is asked first again, and its hanging delays no caller', async () => {
    const timeout = 20_000
    const chain = await connect([first, second], { timeout })
    await chain.request('eth_gasPrice')
    first.faults.down = true
    await chain.request('eth_gasPrice')
    expect(chain.nodes()[0]?.status).toBe('resting')
    const hanging = createLatch()
    first.faults.down = false
    first.faults.answer = () => hanging.opened
    first.faults.requests = 0
    const started = performance.now()
    await vi.waitFor(async () => {
      await chain.request('eth_gasPrice')
      expect(first.faults.requests).toBeGreaterThan(0)
    }, patience)
    for (let times = 0; times < 5; times++) await chain.request('eth_gasPrice')
    expect(performance.now() - started).toBeLessThan(timeout)
    hanging.open()
    await vi.waitFor(async () => {
      await chain.request('eth_gasPrice')
      expect(chain.nodes()[0]?.status).toBe('ready')
    }, patience)
    const before = second.faults.calls.eth_gasPrice
    await chain.request('eth_gasPrice')
    expect(second.faults.calls.eth_gasPrice).toBe(before)
  })

  test('all down: an error that says so at once, names no node, and ends when one is back', async () => {
    first.faults.down = true
    second.faults.down = true
    const chain = await connect([first, second])
    const error = await failure(chain.request('eth_gasPrice'))
    expect(error).toMatchObject({ code: 100, kind: 'down', status: 400 })
    expect(JSON.stringify([error.message, error.details])).not.toContain('127.0.0.1')
    await failure(chain.request('eth_gasPrice'))
    second.faults.down = false
    await vi.waitFor(async () => expect(await chain.request('eth_gasPrice')).toMatch(/^0x/), patience)
  })

  test('a chain whose only node serves another chain fails', async () => {
    const chain = await connect([stranger])
    expect(await failure(chain.request('eth_gasPrice'))).toMatchObject({ kind: 'down' })
    expect(stranger.faults.calls.eth_gasPrice).toBeUndefined()
    expect(chain.nodes()[0]?.lastError).toBe('it belongs to chain 5')
  })

  test('a too high rate is lowered, and every call gets a result', async () => {
    first.faults.rps = 30
    const chain = await connect([first], { requestsPerSecond: 200, batchSize: 5 })
    const calls = Array.from({ length: 60 }, (_, index) => ({
      method: 'eth_getBalance',
      params: [`0x${index.toString(16).padStart(40, '0')}`, 'latest'],
    }))
    const outcomes = await chain.batch(calls)
    expect(outcomes.filter((outcome) => 'error' in outcome)).toEqual([])
    expect(chain.nodes()[0]?.requestsPerSecond).toBeLessThan(200)
  })

  test('asks another node for what one lacks; without one the error is clear', async () => {
    first.faults.missing = ['eth_getBlockReceipts', 'debug_traceTransaction']
    second.faults.missing = ['debug_traceTransaction']
    const chain = await connect([first, second])
    expect(await chain.request('eth_getBlockReceipts', ['0x1'])).toHaveLength(1)
    const hash = `0x${'11'.repeat(32)}`
    expect(await failure(chain.request('debug_traceTransaction', [hash, {}]))).toMatchObject({
      code: 108,
      status: 400,
      kind: 'missingMethod',
    })
    await failure(chain.request('debug_traceTransaction', [hash, {}]))
    expect(first.faults.calls.debug_traceTransaction).toBe(1)
  })

  test('state that no node keeps: says that it takes an archive', async () => {
    await first.mine(5)
    first.faults.stateBlocks = 2
    const chain = await connect([first])
    const error = await failure(chain.request('eth_getBalance', [holder, '0x1']))
    expect(error).toMatchObject({ code: 108, status: 400, kind: 'missingState' })
    expect(error.details).toContain('archive node')
    expect(await (await connect([first, second])).request('eth_getBalance', [holder, '0x1'])).toBe('0x0')
  })

  test('a node that is behind is given a moment, and another is asked first', async () => {
    const chain = await connect([first])
    const { number } = await chain.head()
    const ask = (address: string) => chain.request('eth_getBalance', [address, `0x${number.toString(16)}`])
    first.faults.lag = 2
    const waiting = ask(holder)
    await vi.waitFor(() => expect(first.faults.calls.eth_getBalance).toBe(1), { ...patience, interval: 5 })
    delete first.faults.lag
    expect(await waiting).toBe('0x0')
    first.faults.lag = 2
    expect(await failure(ask(`0x${'0'.repeat(39)}7`))).toMatchObject({ code: 100, kind: 'busy' })
    await second.mine(number)
    expect(await (await connect([first, second])).request('eth_getBalance', [holder, `0x${number.toString(16)}`])).toBe(
      '0x0',
    )
    await expect(chain.request('eth_getBalance', [holder, '0xffffff'])).rejects.toMatchObject({
      code: 101,
      status: 404,
    })
  })

  test('the key in the address of a node is in no error and no state', async () => {
    const chain = await connect([{ url: 'http://user:word@127.0.0.1:1/v3/secretkey?key=hidden' }])
    const error = await failure(chain.request('eth_gasPrice'))
    const shown = JSON.stringify([error.message, error.details, String(error.cause), chain.nodes()])
    expect(shown).not.toMatch(/secretkey|hidden|word/)
  })

  test('nor where the node itself repeats it', async () => {
    const { host } = new URL(first.url)
    const chain = await connect([{ url: `http://us%3Aer:word@${host}/v3/secretkey?key=hidden%20key` }])
    first.faults.answer = (method) => {
      if (method !== 'eth_gasPrice') return undefined
      const message = `${first.url}/v3/secretkey?key=hidden%20key: us:er, word, "hidden key" may not`
      throw new RpcError({ code: -32000, message })
    }
    const error = (await failure(chain.request('eth_gasPrice'))) as NodeError
    expect(error.message).toContain('may not')
    expect(JSON.stringify([error.message, error.details, error.said])).not.toMatch(/secretkey|hidden|word|us:er/)
  })

  test('logs that take a node too long are read in fewer blocks; other callers keep the node', async () => {
    const chain = await connect([first], { timeout: 2_000 })
    await chain.head()
    const hanging = createLatch()
    first.faults.answer = async (method, params) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 3) await hanging.opened
      return undefined
    }
    const logs = (toBlock: string) => chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock }])
    expect(await failure(logs('0x9'))).toMatchObject({ kind: 'tooMuch', code: 102 })
    expect(chain.nodes()[0]).toMatchObject({ status: 'ready' })
    expect(await chain.request('eth_gasPrice')).toMatch(/^0x/)
    expect(await logs('0x1')).toEqual([])
    hanging.open()
  })
})
