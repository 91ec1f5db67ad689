// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { createTestClient } from '../../testClient/createTestClient.ts'
import { usePlainAction } from './useMutation.ts'

afterEach(cleanup)

test('options of the action reach it through its hook; callbacks are called once', async () => {
  const client = createTestClient({})
  const action = vi.fn(
    async (
      _client: Client,
      { onSuccess }: { throwOnError: true; restoreAccount?: boolean; onSuccess?: (data: string) => void },
    ) => {
      onSuccess?.('done')
      return 'done'
    },
  )
  const { result } = renderHook(() => usePlainAction('enter', action), {
    wrapper: ({ children }) => <CountersignProvider client={client}>{children}</CountersignProvider>,
  })
  const onSuccess = vi.fn()
  const { signal } = new AbortController()
  const given = { restoreAccount: true, signal, onSuccess }
  await act(() => result.current.enter(given))
  expect(action).toHaveBeenCalledWith(client, expect.objectContaining({ restoreAccount: true, signal }))
  expect(onSuccess.mock.calls).toEqual([['done']])
})
