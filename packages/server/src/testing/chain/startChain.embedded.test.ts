import { createPublicClient, http } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Chain } from './Chain.ts'
import { deployContract } from './deployContract.ts'
import { getArtifact } from './getArtifact.ts'
import { RpcError } from './RpcError.ts'
import { startChain } from './startChain.ts'

let chain: Chain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

const post = (body: unknown, signal?: AbortSignal) =>
  fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const call = async (method: string, params: unknown[] = []) =>
  (await post({ jsonrpc: '2.0', id: 7, method, params })).json() as Promise<{
    id: number
    result?: unknown
    error?: { code: number; message: string; data?: unknown }
  }>

describe('the node', () => {
  test('accepts JSON-RPC, one call or several at a time', async () => {
    expect(await call('eth_chainId')).toEqual({ jsonrpc: '2.0', id: 7, result: '0x7a69' })
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 'b', method: 'eth_blockNumber' },
    ]
    expect(await (await post(batch)).json()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: '0x7a69' },
      { jsonrpc: '2.0', id: 'b', result: '0x1' },
    ])
  })

  test('has the chain id and the hardfork that was asked for', async () => {
    const before = await startChain({ chainId: 137, hardfork: 'shanghai' })
    try {
      expect(before.chainId).toBe(137)
      expect(await createPublicClient({ transport: http(before.url) }).getChainId()).toBe(137)
      // MCOPY came with Cancun.
      const mcopy = [{ data: '0x6000600060005e00' }, 'latest']
      await expect(before.request('eth_call', mcopy)).rejects.toThrow(/NotActivated/)
      expect(await chain.request('eth_call', mcopy)).toBe('0x')
    } finally {
      await before.stop()
    }
  })

  test('keeps chains apart', async () => {
    const other = await startChain()
    try {
      await deployContract(chain, getArtifact('GasBurner'))
      expect(await chain.request('eth_blockNumber')).toBe('0x2')
      expect(await other.request('eth_blockNumber')).toBe('0x1')
    } finally {
      await other.stop()
    }
  })

  test('reports a revert as geth does, and other failures without data', async () => {
    const revert = await call('eth_call', [{ data: '0x60ff60005260206000fd' }, 'latest'])
    expect(revert.error).toEqual({ code: 3, message: 'execution reverted', data: `0x${'0'.repeat(62)}ff` })
    const bare = await call('eth_call', [{ data: '0x60006000fd' }, 'latest'])
    expect(bare.error).toEqual({ code: 3, message: 'execution reverted', data: '0x' })
    const invalid = await call('eth_call', [{ data: '0xfe' }, 'latest'])
    expect(invalid.error).toMatchObject({ code: -32000 })
    expect(invalid.error).not.toHaveProperty('data')
    expect((await call('eth_nonsense')).error).toMatchObject({ code: -32601 })
    await expect(chain.request('eth_nonsense')).rejects.toBeInstanceOf(RpcError)
  })

  test('is gone after stop', async () => {
    const gone = await startChain()
    await gone.stop()
    await expect(fetch(gone.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })
})

describe('faults', () => {
  test('calls counts what comes over HTTP', async () => {
    await chain.request('eth_chainId')
    await deployContract(chain, getArtifact('GasBurner'))
    expect(chain.faults.calls).toEqual({})
    await call('eth_chainId')
    await post([{ method: 'eth_chainId' }, { method: 'eth_blockNumber' }])
    expect(chain.faults.calls).toEqual({ eth_chainId: 2, eth_blockNumber: 1 })
  })

  test('down cuts old and new connections, until it is lifted', async () => {
    await call('eth_chainId')
    chain.faults.down = true
    await expect(call('eth_chainId')).rejects.toThrow()
    await expect(call('eth_chainId')).rejects.toThrow()
    expect(chain.faults.calls).toEqual({ eth_chainId: 1 })
    expect(await chain.request('eth_chainId')).toBe('0x7a69')
    chain.faults.down = false
    expect(await call('eth_chainId')).toMatchObject({ result: '0x7a69' })
  })

  test('down in the middle of a slow call cuts that call', async () => {
    chain.faults.latencyMs = 100
    const slow = call('eth_chainId')
    while (!chain.faults.calls.eth_chainId) await new Promise((resolve) => setTimeout(resolve, 1))
    chain.faults.down = true
    await expect(slow).rejects.toThrow()
  })

  test('latencyMs delays the response', async () => {
    chain.faults.latencyMs = 200
    const started = performance.now()
    expect(await call('eth_chainId')).toMatchObject({ result: '0x7a69' })
    expect(performance.now() - started).toBeGreaterThanOrEqual(195)
  })

  test('a client that waits no longer and a stop do not wait for the latency', async () => {
    chain.faults.latencyMs = 600_000
    await expect(post({ method: 'eth_chainId' }, AbortSignal.timeout(50))).rejects.toThrow(/timeout/i)
    const hanging = await startChain()
    hanging.faults.latencyMs = 600_000
    const waiting = fetch(hanging.url, { method: 'POST', body: '{"method":"eth_chainId"}' })
    while (!hanging.faults.calls.eth_chainId) await new Promise((resolve) => setTimeout(resolve, 1))
    await Promise.all([expect(waiting).rejects.toThrow(), hanging.stop()])
  })

  test.each([500, 429])('status responds with %i', async (status) => {
    chain.faults.status = status
    expect((await post({ method: 'eth_chainId' })).status).toBe(status)
    expect(chain.faults.calls).toEqual({ eth_chainId: 1 })
    await expect(
      createPublicClient({ transport: http(chain.url, { retryCount: 0 }) }).getChainId(),
    ).rejects.toMatchObject({ status })
  })

  test('body responds with something else than JSON-RPC', async () => {
    chain.faults.body = '<h1>Welcome</h1>'
    const response = await post({ method: 'eth_chainId' })
    expect([response.status, await response.text()]).toEqual([200, '<h1>Welcome</h1>'])
  })

  test('answer falsifies chosen results', async () => {
    const asked: unknown[] = []
    chain.faults.answer = (method, params, real) => {
      asked.push([method, params, real])
      if (method === 'eth_chainId') return '0x1'
      if (method === 'eth_call') return `0x1626ba7e${'0'.repeat(56)}`
      if (method === 'eth_gasPrice') throw new RpcError({ code: -32005, message: 'limit exceeded' })
      return undefined
    }
    expect(await call('eth_chainId')).toMatchObject({ result: '0x1' })
    expect(await call('eth_blockNumber')).toMatchObject({ result: '0x1' })
    expect(await call('eth_call', [{ data: '0xfe' }])).toMatchObject({ result: `0x1626ba7e${'0'.repeat(56)}` })
    expect((await call('eth_gasPrice')).error).toEqual({ code: -32005, message: 'limit exceeded' })
    expect((await call('eth_nonsense')).error).toMatchObject({ code: -32601 })
    expect(asked.slice(0, 3)).toEqual([
      ['eth_chainId', [], '0x7a69'],
      ['eth_blockNumber', [], '0x1'],
      ['eth_call', [{ data: '0xfe' }], undefined],
    ])
    expect(await chain.request('eth_chainId')).toBe('0x7a69')
  })
})
