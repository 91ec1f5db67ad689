// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createEip1193Signer } from '../../core/wallet/connectors/createEip1193Signer.ts'
import { createTestProvider } from '../../testing/createTestProvider.ts'
import { createWire } from '../../testing/createWire.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { useSession, useUser } from '../session/useSession.ts'
import { useReauthenticate, useSignInWithWallet } from '../session/useSignIn.ts'
import {
  useLinkedWallets,
  useLinkWallet,
  useRestoreWallet,
  useUnlinkWallet,
  useUpdateWallet,
} from './useLinkedWallets.ts'
import { useMergeAccounts, usePreviewAccountMerge, useUndoAccountMerge } from './useMergeAccounts.ts'
import { useActivity, useSignInMethods } from './useSecurity.ts'

// A second, which is the default, is a moment on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

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
  const { result } = renderHook(() => ({ ...useSignInWithWallet(), session: useSession(), user: useUser() }), {
    wrapper,
  })
  expect(result.current.status).toBe('idle')
  expect(wallet.calls).toEqual([])
  wallet.onSign = () => ''
  const onError = vi.fn()
  await act(() => result.current.signInWithWallet({ signer }, { onError }))
  expect(result.current).toMatchObject({ status: 'error', error: { message: 'Data not signed' } })
  expect(result.current.session.status).toBe('error')
  expect(onError).toHaveBeenCalledTimes(1)
  wallet.onSign = undefined
  let done: Promise<unknown> | undefined
  act(() => {
    done = result.current.signInWithWallet({ signer })
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
      sign: useSignInWithWallet(),
      link: useLinkWallet(),
      unlink: useUnlinkWallet(),
      restore: useRestoreWallet(),
      update: useUpdateWallet(),
      stepUp: useReauthenticate(),
      wallets: useLinkedWallets(),
      sameWallets: useLinkedWallets(),
      methods: useSignInMethods(),
      activity: useActivity(),
      user: useUser(),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.wallets.status).toBe('error'))
  await act(() => result.current.sign.signInWithWallet({ signer }))
  const counted = (count: number) =>
    waitFor(() => {
      expect(result.current.wallets).toMatchObject({ status: 'success', isFetching: false })
      expect(result.current.wallets.status === 'success' && result.current.wallets.data).toHaveLength(count)
      expect(result.current.methods.status === 'success' && result.current.methods.data.wallets).toHaveLength(count)
    })
  await counted(1)
  expect(wire.calls.filter(({ method, path }) => method === 'GET' && path === '/auth/wallets')).toHaveLength(1)
  wallet.selected = 1
  await act(() => result.current.link.linkWallet({ signer }))
  await counted(2)
  const { data } = result.current.link as { data: { objectId: string } }
  await act(() => result.current.update.updateWallet({ objectId: data.objectId, primary: true }))
  expect(result.current.user?.ethAddress).toBe(wallet.addresses[1]?.toLowerCase())
  await act(() => result.current.stepUp.reauthenticate({ signer }))
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
  const first = renderHook(() => useSignInWithWallet(), { wrapper: other.wrapper })
  await act(() => first.result.current.signInWithWallet({ signer: other.signer }))
  const { result } = renderHook(
    () => ({
      sign: useSignInWithWallet(),
      preview: usePreviewAccountMerge(),
      merge: useMergeAccounts(),
      undo: useUndoAccountMerge(),
      user: useUser(),
    }),
    { wrapper: mine.wrapper },
  )
  await act(() => result.current.sign.signInWithWallet({ signer: mine.signer }))
  await act(() => result.current.preview.previewAccountMerge({ signer: other.signer }))
  expect(result.current.preview.status).toBe('success')
  const { objectId } = (result.current.preview as { data: { objectId: string } }).data
  await act(() => result.current.merge.mergeAccounts({ objectId }))
  expect(result.current.user?.accounts).toHaveLength(2)
  await act(() => result.current.undo.undoAccountMerge({ objectId }))
  expect(result.current.undo.status).toBe('success')
  expect(result.current.user?.accounts).toHaveLength(1)
})
