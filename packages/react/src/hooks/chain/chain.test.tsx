// @vitest-environment happy-dom
import { act, cleanup, configure, render, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { readContract } from '../../core/chain/readContract.ts'
import { createClient } from '../../core/setup/createClient.ts'
import type { Chain } from '../../core/state/Connector.ts'
import { askNode } from '../../core/wallet/connectors/walletLinks.ts'
import { connectWallet, disconnectWallet } from '../../core/wallet/connectWallet.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { useCallsStatus, useCapabilities, useSendCalls } from './useCalls.ts'
import { useReadContract, useSendTransaction, useSendTransfer, useWriteContract } from './useContract.ts'

// A second, which is the default, is a moment on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

let chain: TestChain
let shelf: Awaited<ReturnType<TestChain['deploy']>>

beforeAll(async () => {
  chain = await startChain()
  // The simulated page asks its own origin alone.
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${chain.url}/`)
  shelf = await chain.deploy('Shelf')
})

afterEach(() => {
  cleanup()
  window.localStorage.clear()
})

afterAll(() => chain?.stop())

/** A wallet with a unique name: those of other tests stay in the page. */
async function open(rdns: string, chains: readonly Chain[] = [], more: { sendCalls?: boolean } = {}) {
  const options = { ...more, rdns, rpcUrl: chain.url, chainId: chain.chainId, chains: [1, chain.chainId] }
  const wallet = announceTestWallet(await createTestWallet(options), window)
  const client = createClient({ chains, paymasters: { [chain.chainId]: 'http://paymaster.test' } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  )
  await chain.give(wallet.addresses[0] ?? '', 10n ** 19n)
  return { wallet, client, wrapper }
}

test('D7: a contract is read once there is a wallet, and again when its account or chain changes', async () => {
  const { wallet, client, wrapper } = await open('org.example.reading')
  const look = { ...shelf, functionName: 'look', chainId: chain.chainId }
  const { result, rerender } = renderHook(({ place }) => useReadContract({ ...look, args: [place] }), {
    wrapper,
    initialProps: { place: 1n },
  })
  await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { code: 142 } }))
  await act(() => connectWallet(client, { connector: 'org.example.reading' }))
  const [first = '', second = ''] = wallet.addresses
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [{ pages: 0n }, first] }))
  const count = () => wallet.requests().filter(({ method }) => method === 'eth_call').length
  const before = count()
  rerender({ place: 1n })
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(count()).toBe(before)
  rerender({ place: 2n })
  await waitFor(() => expect(count()).toBe(before + 1))
  await act(() => wallet.switchAccount(1))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [{}, second] }))
  await act(() => wallet.switchChain(1))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { chainId: chain.chainId } }))
  await act(() => disconnectWallet(client))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { code: 142 } }))
  expect(wallet.prompts()).toHaveLength(1)
})

test('a contract is read by a configured node while the wallet is elsewhere or missing', async () => {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const local: Chain = { id: chain.chainId, name: 'Local', nativeCurrency, rpcUrls: [chain.url] }
  const { wallet, client, wrapper } = await open('org.example.nodes', [local])
  const named = { ...shelf, functionName: 'value' as const, chainId: chain.chainId }
  const { result } = renderHook(
    () => ({
      named: useReadContract(named),
      plain: useReadContract({ ...shelf, functionName: 'value' }),
      unknown: useReadContract({ ...named, chainId: 5 }),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.named).toMatchObject({ status: 'success', data: 0n }))
  await waitFor(() => expect(result.current.plain).toMatchObject({ status: 'success', data: 0n }))
  expect(result.current.unknown).toMatchObject({ status: 'error', error: { code: 142 } })
  expect(await readContract(client, named)).toBe(0n)
  expect(wallet.requests()).toEqual([])
  const calls = () => wallet.requests().filter(({ method }) => method === 'eth_call').length
  await act(() => connectWallet(client, { connector: 'org.example.nodes' }))
  await waitFor(() => expect(calls()).toBe(2))
  expect(result.current.unknown).toMatchObject({ status: 'error', error: { reason: 'wrongChain' } })
  // On another chain: a read that names its chain uses the node, others follow the wallet.
  await act(() => wallet.switchChain(1))
  await waitFor(() => expect(calls()).toBe(3))
  await waitFor(() => expect(result.current.named).toMatchObject({ status: 'success', data: 0n, isFetching: false }))
  const before = calls()
  await act(() => result.current.named.refetch())
  expect(result.current.named).toMatchObject({ status: 'success', data: 0n })
  expect(calls()).toBe(before)
})

test('a contract reading takes the options of every reading', async () => {
  const { wrapper } = await open('org.example.options')
  const provider = { request: (call: { method: string; params?: readonly unknown[] }) => askNode(chain.url, call) }
  const input = { ...shelf, functionName: 'value' as const, provider }
  const { result } = renderHook(
    () => ({
      off: useReadContract(input, { enabled: false, placeholderData: 7n }),
      initial: useReadContract(input, { enabled: false, initialData: 8n }),
      selected: useReadContract(input, { select: (value) => `value ${value}` }),
    }),
    { wrapper },
  )
  expect(result.current.off).toMatchObject({ data: 7n, isPlaceholderData: true, fetchStatus: 'idle' })
  expect(result.current.initial).toMatchObject({ data: 8n, isPlaceholderData: false })
  await waitFor(() => expect(result.current.selected.data).toBe('value 0'))
})

test('twenty contract reads of one page are one request where the chain has Multicall3', async () => {
  const { address: multicall } = await chain.deploy('Multicall3')
  const coin = await chain.deploy('Coin')
  const holders = Array.from({ length: 20 }, (_, at) => `0x${String(at + 1).padStart(40, '0')}`)
  const counts: Record<string, number>[] = []
  for (const setting of [false, { [chain.chainId]: multicall }] as const) {
    const count: Record<string, number> = {}
    counts.push(count)
    const provider = {
      request(call: { method: string; params?: readonly unknown[] }) {
        count[call.method] = (count[call.method] ?? 0) + 1
        return askNode(chain.url, call)
      },
    }
    const client = createClient({ multicall: setting })
    const Balance = ({ holder }: { holder: string }) => {
      const input = { ...coin, functionName: 'balanceOf', args: [holder], provider, chainId: chain.chainId }
      const balance = useReadContract(input)
      return <li>{balance.status === 'success' ? String(balance.data) : balance.status}</li>
    }
    const { container, unmount } = render(
      <StrictMode>
        <CountersignProvider client={client}>
          {holders.map((holder) => (
            <Balance key={holder} holder={holder} />
          ))}
        </CountersignProvider>
      </StrictMode>,
    )
    await waitFor(() => expect(container.textContent).toBe('0'.repeat(20)))
    unmount()
  }
  expect(counts).toEqual([
    { eth_chainId: 1, eth_call: 20 },
    { eth_chainId: 1, eth_call: 1 },
  ])
})

test('writing, sending and transferring carry the state of their latest call', async () => {
  const { wallet, client, wrapper } = await open('org.example.writing')
  const useAll = () => ({
    write: useWriteContract(),
    send: useSendTransaction(),
    transfer: useSendTransfer(),
    value: useReadContract({ ...shelf, functionName: 'value' }),
    nothing: useReadContract(undefined),
  })
  const { result } = renderHook(useAll, { wrapper })
  await act(() => connectWallet(client, { connector: 'org.example.writing' }))
  await act(() => result.current.write.writeContract({ ...shelf, functionName: 'refuse', args: [0] }))
  expect(result.current.write).toMatchObject({ status: 'error', error: { revertReason: 'closed on Sundays' } })
  await act(() => result.current.write.writeContract({ ...shelf, functionName: 'pay', value: 9, wait: true }))
  expect(result.current.write).toMatchObject({ status: 'success', data: { receipt: { status: 'success' } } })
  await act(() => result.current.value.refetch())
  expect(result.current.value).toMatchObject({ status: 'success', data: 9n })
  await act(() => result.current.send.sendTransaction({ to: shelf.address, data: '0x1b9265b8', wait: true }))
  expect(result.current.send.status).toBe('success')
  wallet.rejectNext()
  await act(() => result.current.transfer.sendTransfer({ to: chain.rich, amount: 1 }))
  expect(result.current.transfer).toMatchObject({ status: 'error', error: { cause: { code: 4001 } } })
  await act(() => result.current.transfer.sendTransfer({ to: chain.rich, amount: 1 }))
  expect(result.current.transfer.status).toBe('success')
  act(() => result.current.transfer.reset())
  expect(result.current.transfer.status).toBe('idle')
  expect(result.current.nothing.status).toBe('pending')
})

test('S23: rendered on a server, nothing is read', () => {
  const Value = () => useReadContract({ ...shelf, functionName: 'value' }).status
  const page = (
    <CountersignProvider client={createClient()}>
      <Value />
    </CountersignProvider>
  )
  expect(renderToString(page)).toBe('pending')
})

test('M7: a contract is read again after the page’s own receipt', async () => {
  const { client, wrapper } = await open('org.example.receipt')
  await connectWallet(client, { connector: 'org.example.receipt' })
  const { result } = renderHook(
    () => ({ value: useReadContract({ ...shelf, functionName: 'value' }), writing: useWriteContract() }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.value.status).toBe('success'))
  const next = BigInt(String(result.current.value.data)) + 41n
  await act(() =>
    result.current.writing.writeContract({ ...shelf, functionName: 'set(uint256)', args: [next], wait: 1 }),
  )
  await waitFor(() => expect(result.current.value.data).toBe(next))
})

for (const sendCalls of [true, false]) {
  test(`several calls by one prompt, or one after another where the wallet has none (EIP-5792: ${sendCalls})`, async () => {
    const rdns = `org.example.calls.${sendCalls}`
    const { wallet, client, wrapper } = await open(rdns, [], { sendCalls })
    await connectWallet(client, { connector: rdns })
    const { result } = renderHook(
      () => {
        const calls = useSendCalls()
        const value = useReadContract({ ...shelf, functionName: 'value' })
        return { calls, value, state: useCallsStatus(calls.data?.id), abilities: useCapabilities() }
      },
      { wrapper },
    )
    await waitFor(() => expect(result.current.value.status).toBe('success'))
    const next = BigInt(String(result.current.value.data)) + 7n
    const before = wallet.prompts().length
    const set = (value: bigint) => ({ ...shelf, functionName: 'set(uint256)', args: [value] })
    await act(() => result.current.calls.sendCallsAsync({ calls: [set(next - 1n), set(next)] }))
    expect(wallet.prompts().length - before).toBe(sendCalls ? 1 : 2)
    await waitFor(() => expect(result.current.state.data?.status).toBe('success'))
    expect(result.current.state.data?.receipts.map(({ status }) => status)).toEqual(['success', 'success'])
    await waitFor(() => expect(result.current.value.data).toBe(next))
    const sent = wallet.requests().find(({ method }) => method === 'wallet_sendCalls')
    expect(JSON.stringify(sent), 'the paymaster of the chain is named').toContain('http://paymaster.test')
    await waitFor(() => expect(result.current.abilities.status).toBe('success'))
    expect(result.current.abilities.data?.[chain.chainId]?.paymasterService).toEqual(
      sendCalls ? { supported: true } : undefined,
    )
  })
}
