// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { createClient } from '../../core/setup/createClient.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import {
  useAccountMismatch,
  useAddChain,
  useConnectors,
  useConnectWallet,
  useDisconnectWallet,
  useSignMessage,
  useSwitchChain,
  useWallet,
} from './useWallet.ts'

// A second, which is the default, is a moment on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

afterEach(() => {
  cleanup()
  window.localStorage.clear()
})

const base = {
  id: 8453,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://rpc.example.org'],
}

function useEverything() {
  return {
    wallet: useWallet(),
    connectors: useConnectors(),
    connect: useConnectWallet(),
    disconnect: useDisconnectWallet(),
    sign: useSignMessage(),
    switching: useSwitchChain(),
    adding: useAddChain(),
    mismatch: useAccountMismatch(),
  }
}

test('R12, D7: a wallet alone, by hooks: found, connected, signing, on another chain, disconnected', async () => {
  const client = createClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  )
  const { result } = renderHook(useEverything, { wrapper })
  expect(result.current.wallet).toEqual({ status: 'disconnected' })
  const wallet = announceTestWallet(await createTestWallet({ name: 'Found' }), window)
  await waitFor(() => expect(result.current.connectors.map(({ name }) => name)).toEqual(['Found']))
  expect(wallet.requests()).toEqual([])

  wallet.rejectNext()
  await act(() => result.current.connect.connectWallet({}))
  expect(result.current.connect).toMatchObject({ status: 'error', error: { cause: { code: 4001 } } })
  expect(result.current.wallet).toMatchObject({ status: 'disconnected', error: { cause: { code: 4001 } } })

  const [connector] = result.current.connectors
  await act(() => result.current.connect.connectWallet({ connector }))
  expect(result.current.connect.status).toBe('success')
  expect(result.current.wallet).toMatchObject({ status: 'connected', account: wallet.addresses[0] })

  await act(() => result.current.sign.signMessage({ message: 'hello' }))
  expect(result.current.sign).toMatchObject({ status: 'success', data: expect.stringMatching(/^0x[0-9a-f]{130}$/) })
  await act(() => result.current.switching.switchChain({ chainId: 8453 }))
  expect(result.current.switching).toMatchObject({ status: 'error', error: { cause: { code: 4902 } } })
  await act(() => result.current.adding.addChain(base))
  expect(result.current.wallet).toMatchObject({ chainId: 8453 })
  await act(() => wallet.switchAccount(1))
  expect(result.current.wallet).toMatchObject({ account: wallet.addresses[1] })
  expect(result.current.mismatch.mismatch).toBeUndefined()
  await act(() => result.current.disconnect.disconnectWallet())
  expect(result.current.wallet).toEqual({ status: 'disconnected' })
})

test('S23: rendered on a server, the wallet is not known yet', () => {
  const client = createClient()
  const Show = () => <p>{useWallet().status}</p>
  const html = renderToString(
    <CountersignProvider client={client}>
      <Show />
    </CountersignProvider>,
  )
  expect(html).toBe('<p>reconnecting</p>')
})
