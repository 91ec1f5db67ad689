import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signUp } from '../../core/session/signUp.ts'
import { connectTo } from '../../testing/connectTo.ts'
import { inside } from '../../testing/inside.tsx'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { useAccessTokens, useCreateAccessToken, useRevokeAccessToken } from './useAccessTokens.ts'
import { useConnectedApps, useDisconnectApp } from './useConnectedApps.ts'

setUpPage()
const server = serveTests({})

test('access tokens are created, listed with dates, and revoked', async () => {
  const { client } = await connectTo(server, { throwOnError: true })
  const use = () => ({ tokens: useAccessTokens(), create: useCreateAccessToken(), revoke: useRevokeAccessToken() })
  const { result } = renderHook(use, inside({ client }))
  expect(result.current.tokens).toMatchObject({ status: 'error', error: { name: 'NotAuthenticatedError' } })
  await act(() => signUp(client, { username: 'tess', password: 'correct horse' }))
  await waitFor(() => expect(result.current.tokens).toMatchObject({ status: 'success', data: [] }))

  await act(() => result.current.create.createAccessTokenAsync({ name: 'export', scopes: ['Score:read'] }))
  expect(result.current.create.data?.token).toMatch(/^cs_pat_/)
  await waitFor(() => expect(result.current.tokens.data).toMatchObject([{ name: 'export', scopes: ['Score:read'] }]))
  const [listed] = result.current.tokens.data ?? []
  expect([listed?.createdAt, listed?.expiresAt].every((each) => each instanceof Date)).toBe(true)
  expect(listed).not.toHaveProperty('token')

  await act(() => result.current.create.createAccessTokenAsync({ name: 'x', scopes: ['everything'] }).catch(() => {}))
  expect(result.current.create.error?.reason).toBe('invalidScope')
  await act(() => result.current.revoke.revokeAccessTokenAsync({ objectId: listed?.objectId ?? '' }))
  await waitFor(() => expect(result.current.tokens.data).toEqual([]))
  await act(() => result.current.revoke.revokeAccessTokenAsync({ objectId: listed?.objectId ?? '' }).catch(() => {}))
  expect(result.current.revoke.error?.reason).toBe('objectNotFound')
})

test('connected apps are listed; one that is not there cannot be disconnected', async () => {
  const { client } = await connectTo(server, { throwOnError: true })
  await act(() => signUp(client, { username: 'cora', password: 'correct horse' }))
  const use = () => ({ apps: useConnectedApps(), end: useDisconnectApp() })
  const { result } = renderHook(use, inside({ client }))
  await waitFor(() => expect(result.current.apps).toMatchObject({ status: 'success', data: [] }))
  await act(() => result.current.end.disconnectAppAsync({ id: 'unknown' }).catch(() => {}))
  expect(result.current.end.error?.reason).toBe('objectNotFound')
})
