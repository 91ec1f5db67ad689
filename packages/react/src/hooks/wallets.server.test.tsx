// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../components/CountersignProvider.tsx'
import { initialize } from '../core/actions/initialize.ts'
import { createClient } from '../core/createClient.ts'
import { createEip1193Signer } from '../core/wallet/createEip1193Signer.ts'
import { createTestProvider } from '../testing/createTestProvider.ts'
import { createWire } from '../testing/createWire.ts'
import { startServer, type TestServer } from '../testing/startServer.ts'
import { useActivity } from './useActivity.ts'
import { useAuthenticate } from './useAuthenticate.ts'
import { useLinkWallet } from './useLinkWallet.ts'
import { useMerge } from './useMerge.ts'
import { usePreviewMerge } from './usePreviewMerge.ts'
import { useRestoreWallet } from './useRestoreWallet.ts'
import { useSession } from './useSession.ts'
import { useStepUp } from './useStepUp.ts'
import { useUndoMerge } from './useUndoMerge.ts'
import { useUnlinkWallet } from './useUnlinkWallet.ts'
import { useUpdateWallet } from './useUpdateWallet.ts'
import { useUser } from './useUser.ts'
import { useWallets } from './useWallets.ts'
import { useWaysIn } from './useWaysIn.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ rateLimit: [] })
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${server.origin}/`)
})
afterAll(() => server.remove())
beforeEach(() => window.localStorage.clear())
afterEach(cleanup)

async function connect() {
  const wire = createWire()
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, session: 'storage', fetch: wire.fetch })
  await initialize(client)
  const wallet = createTestProvider()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  )
  return { client, wire, wallet, signer: createEip1193Signer(wallet), wrapper }
}

test('R4, R6: useAuthenticate goes through its states beside those of the session', async () => {
  const { wallet, signer, wrapper } = await connect()
  const { result } = renderHook(() => ({ ...useAuthenticate(), session: useSession(), user: useUser() }), { wrapper })
  expect(result.current.status).toBe('idle')
  expect(wallet.calls).toEqual([])
  wallet.onSign = () => ''
  const onError = vi.fn()
  await act(() => result.current.authenticate({ signer }, { onError }))
  expect(result.current).toMatchObject({ status: 'error', error: { message: 'Data not signed' } })
  expect(result.current.session.status).toBe('error')
  expect(onError).toHaveBeenCalledTimes(1)
  wallet.onSign = undefined
  let done: Promise<unknown> | undefined
  act(() => {
    done = result.current.authenticate({ signer })
  })
  expect(result.current.status).toBe('pending')
  expect(result.current.session.status).toBe('authenticating')
  await act(() => done)
  expect(result.current).toMatchObject({ status: 'success', data: { ethAddress: wallet.addresses[0]?.toLowerCase() } })
  expect(result.current.user?.ethAddress).toBe(wallet.addresses[0]?.toLowerCase())
})

test('the lists are shared, and read again after each change', async () => {
  const { wallet, signer, wrapper, wire } = await connect()
  const { result } = renderHook(
    () => ({
      sign: useAuthenticate(),
      link: useLinkWallet(),
      unlink: useUnlinkWallet(),
      restore: useRestoreWallet(),
      update: useUpdateWallet(),
      stepUp: useStepUp(),
      wallets: useWallets(),
      sameWallets: useWallets(),
      waysIn: useWaysIn(),
      activity: useActivity(),
      user: useUser(),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.wallets.status).toBe('error'))
  await act(() => result.current.sign.authenticate({ signer }))
  const counted = (count: number) =>
    waitFor(() => {
      expect(result.current.wallets).toMatchObject({ status: 'success', isFetching: false })
      expect(result.current.wallets.status === 'success' && result.current.wallets.data).toHaveLength(count)
      expect(result.current.waysIn.status === 'success' && result.current.waysIn.data.wallets).toHaveLength(count)
    })
  await counted(1)
  expect(wire.calls.filter(({ method, path }) => method === 'GET' && path === '/auth/wallets')).toHaveLength(1)
  wallet.selected = 1
  await act(() => result.current.link.linkWallet({ signer }))
  await counted(2)
  const { data } = result.current.link as { data: { objectId: string } }
  await act(() => result.current.update.updateWallet({ objectId: data.objectId, primary: true }))
  expect(result.current.user?.ethAddress).toBe(wallet.addresses[1]?.toLowerCase())
  await act(() => result.current.stepUp.stepUp({ signer }))
  expect(result.current.stepUp.status).toBe('success')
  await act(() => result.current.unlink.unlinkWallet({ objectId: data.objectId }))
  await counted(1)
  await act(() => result.current.restore.restoreWallet({ objectId: data.objectId }))
  await counted(2)
  await waitFor(() => {
    const actions =
      result.current.activity.status === 'success' ? result.current.activity.data.map((one) => one.action) : []
    expect(actions).toEqual(expect.arrayContaining(['linkWallet', 'unlinkWallet', 'restoreWallet']))
  })
})

test('preview, merge and undo by hooks', async () => {
  const other = await connect()
  const mine = await connect()
  const first = renderHook(() => useAuthenticate(), { wrapper: other.wrapper })
  await act(() => first.result.current.authenticate({ signer: other.signer }))
  const { result } = renderHook(
    () => ({
      sign: useAuthenticate(),
      preview: usePreviewMerge(),
      merge: useMerge(),
      undo: useUndoMerge(),
      user: useUser(),
    }),
    { wrapper: mine.wrapper },
  )
  await act(() => result.current.sign.authenticate({ signer: mine.signer }))
  await act(() => result.current.preview.previewMerge({ signer: other.signer }))
  expect(result.current.preview.status).toBe('success')
  const { objectId } = (result.current.preview as { data: { objectId: string } }).data
  await act(() => result.current.merge.merge({ objectId }))
  expect(result.current.user?.accounts).toHaveLength(2)
  await act(() => result.current.undo.undoMerge({ objectId }))
  expect(result.current.undo.status).toBe('success')
  expect(result.current.user?.accounts).toHaveLength(1)
})
