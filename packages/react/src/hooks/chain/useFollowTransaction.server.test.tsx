// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { followTransaction } from '../../core/chain/followTransaction.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { connectWallet } from '../../core/wallet/connectWallet.ts'
import { signInWithWallet } from '../../core/wallet/signInWithWallet.ts'
import { createWire } from '../../testing/createWire.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { useSendTransaction } from './useContract.ts'
import { useFollowTransaction } from './useFollowTransaction.ts'

// Loading on first use takes time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

const shop = '0x00000000000000000000000000000000000000b0'

type Page = { setURL(url: string): void; settings: { fetch: { disableSameOriginPolicy: boolean } } }

let chain: TestChain
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  server = await startServer({
    usePublicNodes: false,
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], headCacheTtl: 0, requestsPerSecond: 10_000 }],
  })
  const { happyDOM } = window as unknown as { happyDOM: Page }
  // A wallet signs for the page's own origin, and asks its node past the rules of pages.
  happyDOM.setURL(`${server.origin}/`)
  happyDOM.settings.fetch.disableSameOriginPolicy = true
}, 120_000)
afterAll(async () => {
  await server?.remove()
  await chain?.stop()
})
beforeEach(() => {
  window.localStorage.clear()
  vi.stubGlobal('WebSocket', WebSocket)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open<Result>(useIt: () => Result) {
  const wire = createWire()
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, session: 'storage', fetch: wire.fetch })
  await initialize(client)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  )
  const asked = () => wire.calls.filter((call) => call.path.endsWith('/follow')).length
  return { client, asked, ...renderHook(useIt, { wrapper }) }
}

/** The server looks at a transaction less and less often: by its clock, all are due. */
const look = () => server.passTime(61_000)

test('R27: a payment is sent, followed by the server, and shown live until it is final', async () => {
  const rdns = 'org.example.pay'
  const wallet = announceTestWallet(await createTestWallet({ rdns, rpcUrl: chain.url, chainId: chain.chainId }), window)
  const [payer = ''] = wallet.addresses
  await chain.give(payer, 10n ** 18n)
  const { result, client, asked } = await open(() => {
    const { sendTransaction, data, error } = useSendTransaction()
    const sent = useFollowTransaction(data && { chain: chain.chainId, hash: data.hash, data: { order: 'o-17' } })
    return { sendTransaction, sent, error }
  })
  await act(() => connectWallet(client, { connector: rdns }))
  await act(() => signInWithWallet(client))
  expect(result.current.sent).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
  expect(asked()).toBe(0)

  await chain.ask('evm_setAutomine', [false])
  await act(async () => {
    await result.current.sendTransaction({ to: shop, value: 5n, chainId: chain.chainId })
  })
  expect(result.current.error).toBeUndefined()
  await waitFor(() =>
    expect(result.current.sent).toMatchObject({
      data: { chain: chain.chainId, status: 'pending', confirmed: false, data: { order: 'o-17' } },
    }),
  )
  // Once to have it followed, once when the subscription is open.
  await waitFor(() => expect(asked()).toBeGreaterThan(1))
  await chain.ask('evm_setAutomine', [true])
  await chain.ask('evm_mine')
  await waitFor(async () => {
    await look()
    expect(result.current.sent).toMatchObject({
      status: 'success',
      data: {
        status: 'final',
        confirmed: true,
        isOwn: true,
        from: payer.toLowerCase(),
        to: shop,
        value: 5n,
        gasUsed: 21_000n,
        fee: expect.any(BigInt),
        block: expect.any(Number),
        createdAt: expect.any(Date),
      },
    })
  })
  expect(result.current.sent.data).not.toHaveProperty('ACL')
  // The action returns the same document, without creating another.
  const hash = result.current.sent.data?.hash ?? ''
  const again = await followTransaction(client, { chain: 'local' as never, hash })
  expect(again).toEqual(result.current.sent.data)
}, 180_000)

test('R27: without a session nothing is followed, and both say why', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const { result, client, asked } = await open(() => useFollowTransaction({ chain: chain.chainId, hash }))
  await waitFor(() =>
    expect(result.current).toMatchObject({ status: 'error', error: { name: 'NotAuthenticatedError' } }),
  )
  await expect(followTransaction(client, { chain: chain.chainId, hash })).rejects.toMatchObject({
    name: 'NotAuthenticatedError',
  })
  expect(asked()).toBe(0)
})
