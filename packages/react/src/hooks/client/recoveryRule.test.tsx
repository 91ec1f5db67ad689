// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { request } from '../../core/session/request.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createEip1193Connector } from '../../core/wallet/connectors/createEip1193Connector.ts'
import { connectWallet } from '../../core/wallet/connectWallet.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { useLinkedWallets } from '../account/useLinkedWallets.ts'
import { useOutbox } from '../account/useOutbox.ts'
import { useActivity } from '../account/useSecurity.ts'
import { useSessions } from '../account/useSessions.ts'
import { useCallsStatus, useCapabilities } from '../chain/useCalls.ts'
import { useChains, useNativeBalance, usePortfolio, useTransfers } from '../chain/useChainData.ts'
import { useReadContract } from '../chain/useContract.ts'
import { useBlockNumber, useContractEvents } from '../chain/useFollowChain.ts'
import { useConfig } from '../documents/useConfig.ts'
import { useDocumentPages } from '../documents/useDocumentPages.ts'
import { useDocument, useDocumentCount, useDocuments } from '../documents/useDocuments.ts'
import { useFunction } from '../documents/useFunction.ts'
import { useLiveDocuments } from '../documents/useLiveDocuments.ts'
import { useProviders } from '../session/useProviders.ts'
import { useClient } from './useClient.ts'
import { useRead } from './useRead.ts'
import type { UseAsync } from './useReading.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const time = '2024-01-01T00:00:00.000Z'
const account = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const at = { chain: 1, block: { number: 1, timestamp: time }, source: 'node', status: 'SYNCED' }
const abi = [
  { type: 'function', name: 'total', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
] as const

const events = [{ type: 'event', name: 'Moved', inputs: [] }] as const

/** One body with a place for everything that a reading looks for. */
function answer(path: string): object {
  const row = { objectId: 'a', username: 'ada', createdAt: time, updatedAt: time }
  const result = /transfers/.test(path) ? [] : path.startsWith('/functions') ? 1 : { balance: '1', decimals: 18 }
  return {
    ...row,
    ...at,
    results: [row].slice(path.startsWith('/classes') ? 0 : 1),
    count: 1,
    params: {},
    result,
    address: account,
    chains: [],
  }
}

type Failure = {
  /** Failure of the server or of the network. */
  readonly http: () => Response | Promise<Response>
  /** Failure of a wallet or a node. */
  readonly rpc: () => unknown
  /** Seconds until the retry, minimum and maximum; never for a final failure. */
  readonly again: { readonly http: readonly [number, number]; readonly rpc: readonly [number, number] } | 'never'
}

const refuse =
  (status: number, code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify({ code, error: 'No.' }), { status, headers })
const throwRpc =
  (code: number, more: object = {}) =>
  () =>
    Promise.reject({ code, message: 'No.', ...more })
const soon = [0.7, 1.1] as const
const never = () => new Promise<never>(() => undefined)

const failures: Record<string, Failure> = {
  '429 with Retry-After': {
    http: refuse(429, 155, { 'Retry-After': '60' }),
    rpc: throwRpc(-32005, { retryAfter: 60 }),
    again: { http: [60, 61], rpc: [60, 61] },
  },
  '503': { http: refuse(503, 1), rpc: throwRpc(-32603), again: { http: soon, rpc: soon } },
  '503 with Retry-After': {
    http: refuse(503, 1, { 'Retry-After': '40' }),
    rpc: throwRpc(-32005),
    again: { http: [40, 41], rpc: soon },
  },
  'no network': {
    http: () => Promise.reject(new TypeError('fetch failed')),
    rpc: throwRpc(4900),
    again: { http: soon, rpc: soon },
  },
  // The attempt itself ends after five seconds.
  'no answer in time': { http: never, rpc: never, again: { http: [5.7, 6.1], rpc: [5.7, 6.1] } },
  '400': { http: refuse(400, 102), rpc: throwRpc(-32602), again: 'never' },
  '403': { http: refuse(403, 119), rpc: throwRpc(4100), again: 'never' },
  'a refusal by its owner': { http: refuse(400, 141), rpc: throwRpc(4001), again: 'never' },
  'a revert': { http: refuse(404, 101), rpc: throwRpc(3, { data: '0x' }), again: 'never' },
  'a revert in words': { http: refuse(400, 107), rpc: throwRpc(-32602, { message: 'revert: no' }), again: 'never' },
}

const address = account
const readings: Record<string, { readonly by: 'http' | 'rpc'; readonly use: () => UseAsync<unknown> }> = {
  documents: { by: 'http', use: () => useDocuments('Row') },
  'one document': { by: 'http', use: () => useDocument('Row', 'a') },
  'a count': { by: 'http', use: () => useDocumentCount('Row') },
  'pages of documents': { by: 'http', use: () => useDocumentPages('Row') as unknown as UseAsync<unknown> },
  'live documents': { by: 'http', use: () => useLiveDocuments('Row') },
  configuration: { by: 'http', use: () => useConfig() },
  'a function': { by: 'http', use: () => useFunction('total', {}) },
  sessions: { by: 'http', use: () => useSessions() },
  'linked wallets': { by: 'http', use: () => useLinkedWallets() },
  activity: { by: 'http', use: () => useActivity() },
  providers: { by: 'http', use: () => useProviders() },
  'L4: the outbox': { by: 'http', use: () => useOutbox() },
  chains: { by: 'http', use: () => useChains() },
  'chain data': { by: 'http', use: () => useNativeBalance({ address, chain: 1 as never }) },
  'pages of a chain': {
    by: 'http',
    use: () => useTransfers({ address, chain: 1 as never }) as unknown as UseAsync<unknown>,
  },
  'a portfolio': { by: 'http', use: () => usePortfolio({ address }) },
  'a source of one’s own': {
    by: 'http',
    use: () => {
      const client = useClient()
      return useRead(['own'], (options) => request(client, 'getConfig', {}, options))
    },
  },
  'a contract': { by: 'rpc', use: () => useReadContract({ address, abi, functionName: 'total' }) },
  'a block number': { by: 'rpc', use: () => useBlockNumber({}, { refetchInterval: 0 }) },
  'events of a contract': {
    by: 'rpc',
    use: () => useContractEvents({ address, abi: events, eventName: 'Moved', fromBlock: 1n }, { refetchInterval: 0 }),
  },
  'sent calls': { by: 'rpc', use: () => useCallsStatus('id', { refetchInterval: 0 }) },
  'abilities of the wallet': { by: 'rpc', use: () => useCapabilities() },
}

/** A signed-in page with a connected wallet, whose network and wallet fail on command. */
async function open() {
  const storage = createMemory()
  const user = { objectId: 'ada', username: 'ada', createdAt: time, updatedAt: time }
  storage.setItem('Countersign/app/session', JSON.stringify({ user, token: 'r:1', id: 'one' }))
  const source: { failure?: Failure; calls: number } = { calls: 0 }
  const provider = {
    async request({ method }: { method: string }) {
      if (method === 'eth_chainId') return '0x1'
      if (/ccounts$/.test(method)) return [account.toLowerCase()]
      source.calls++
      if (source.failure) return source.failure.rpc()
      if (method === 'eth_blockNumber') return '0x7'
      if (method === 'eth_getLogs') return []
      return method === 'eth_call' ? `0x${'0'.repeat(63)}7` : method === 'wallet_getCallsStatus' ? { status: 200 } : {}
    },
  }
  const connector = createEip1193Connector({ id: 'own', kind: 'custom', name: 'Own' }, async () => provider)
  const client = createClient({
    appId: 'app',
    serverUrl: 'http://server.test/server',
    session: 'storage',
    storage,
    connectors: [connector],
    attemptLimit: 1,
    attemptTimeout: 5_000,
    async fetch(input, init) {
      const path = new URL(String(input)).pathname.replace('/server', '')
      if (path === '/users/me') return new Response(JSON.stringify(user))
      source.calls++
      if (!source.failure) return new Response(JSON.stringify(answer(path)))
      return Promise.race([source.failure.http(), untilAborted(init?.signal)])
    },
  })
  await initialize(client)
  await connectWallet(client, { connector })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <CountersignProvider client={client}>{children}</CountersignProvider>
  )
  return { source, wrapper }
}

const untilAborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const refocus = () => act(async () => void document.dispatchEvent(new Event('visibilitychange')))

/** Waits in real time for code that is loaded at its first use. */
async function until(isTrue: () => boolean) {
  for (const end = performance.now() + 30_000; performance.now() < end && !isTrue(); ) {
    await act(() => new Promise((resolve) => setImmediate(resolve)))
    await pass(0)
  }
  expect(isTrue()).toBe(true)
}

for (const [name, { by, use }] of Object.entries(readings)) {
  test.each(Object.entries(failures))(`recovery of ${name}: %s`, async (_, failure) => {
    const { source, wrapper } = await open()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    const { result, unmount } = renderHook(use, { wrapper })
    await until(() => result.current.status === 'success')
    source.failure = failure
    source.calls = 0
    await act(async () => void result.current.refetch())
    if (failure.http === never) await pass(5_000)
    await until(() => result.current.error !== undefined)
    expect(result.current.error, 'the data stays beside the error').toBeDefined()
    expect(result.current.isStale).toBe(true)
    const first = source.calls
    expect(first).toBeGreaterThan(0)
    if (failure.again === 'never') {
      await pass(120_000)
      await refocus()
      await pass(1_000)
      expect(source.calls, 'an answer is not asked for twice').toBe(first)
      return unmount()
    }
    const [least, most] = failure.again[by]
    const spent = failure.http === never ? 5 : 0
    await pass(1000 * (least - spent) - 10)
    if (least > 10) {
      await refocus()
      await pass(1)
    }
    expect(source.calls, 'not before the pause is over').toBe(first)
    delete source.failure
    await pass(1000 * (most - least) + 20)
    await until(() => result.current.status === 'success' && !result.current.isFetching)
    expect(source.calls).toBeGreaterThan(first)
    source.failure = failure
    await act(async () => void result.current.refetch())
    unmount()
    await pass(10)
    const last = source.calls
    await pass(120_000)
    expect(source.calls, 'nothing is read for a page that was left').toBe(last)
  })
}
