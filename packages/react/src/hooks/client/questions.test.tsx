// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { Fragment, type ReactNode, StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { createTestClient } from '../../testClient/createTestClient.ts'
import { useDocuments } from '../documents/useDocuments.ts'
import { useFunction } from '../documents/useFunction.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const wrap = (client: Client, Around: React.ComponentType<{ children: ReactNode }> = Fragment) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <Around>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </Around>
  ),
})

const yearOf = (n: number) => new Date(Date.UTC(n, 0, 1))

const create = () =>
  createTestClient({
    documents: {
      Game: [2020, 2021, 2022].map((year) => ({
        objectId: `of${year}`,
        at: yearOf(year),
        slot: `${year}-05-01T10:00:00Z`,
      })),
    },
    // In a turn of its own, as from a network: an endless question is then no endless task.
    functions: { now: () => new Promise((resolve) => setTimeout(() => resolve(1), 5)) },
  })

const ids = (data: readonly { readonly objectId: string }[] | undefined) => data?.map(({ objectId }) => objectId)

for (const [name, Around] of Object.entries({ StrictMode, Fragment })) {
  test(`H1: another date in a question shows its own rows, with staleTime as well (${name})`, async () => {
    const client = create()
    const { result, rerender } = renderHook(
      ({ year }) => useDocuments('Game', { where: { at: yearOf(year) }, staleTime: 60_000 }),
      { ...wrap(client, Around), initialProps: { year: 2020 } },
    )
    await waitFor(() => expect(ids(result.current.data)).toEqual(['of2020']))
    rerender({ year: 2021 })
    expect(ids(result.current.data), 'not for one render').not.toEqual(['of2020'])
    await waitFor(() => expect(ids(result.current.data)).toEqual(['of2021']))
    rerender({ year: 2022 })
    await waitFor(() => expect(ids(result.current.data)).toEqual(['of2022']))
    for (const year of [2021, 2020, 2022, 2021]) {
      rerender({ year })
      expect(ids(result.current.data)).toEqual([`of${year}`])
    }
  })
}

test('H1: with enabled: false, refetch asks the question of the latest render', async () => {
  const client = create()
  const { result, rerender } = renderHook(
    ({ year }) => useDocuments('Game', { where: { at: yearOf(year) }, enabled: false }),
    { ...wrap(client), initialProps: { year: 2020 } },
  )
  rerender({ year: 2022 })
  await act(() => result.current.refetch())
  expect(ids(result.current.data)).toEqual(['of2022'])
})

test('H1: a text that looks like a date is compared like any other', async () => {
  const client = create()
  const { result, rerender } = renderHook(
    ({ year }) => useDocuments('Game', { where: { slot: `${year}-05-01T10:00:00Z` }, staleTime: 60_000 }),
    { ...wrap(client), initialProps: { year: 2020 } },
  )
  await waitFor(() => expect(ids(result.current.data)).toEqual(['of2020']))
  rerender({ year: 2021 })
  await waitFor(() => expect(ids(result.current.data)).toEqual(['of2021']))
})

test('H1: a question that is new with each render is warned about with its name; chosen ones are not', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const client = create()
  const chosen = renderHook(({ n }) => useDocuments('Game', { where: { n } }), {
    ...wrap(client),
    initialProps: { n: 0 },
  })
  for (let n = 1; n < 30; n++) {
    chosen.rerender({ n })
    await waitFor(() => expect(chosen.result.current.status).toBe('success'))
  }
  expect(warn).not.toHaveBeenCalled()
  chosen.unmount()
  let renders = 0
  const { unmount } = renderHook(() => useFunction('now', { at: new Date(renders++) }), wrap(client))
  await waitFor(() => expect(warn).toHaveBeenCalled())
  unmount()
  expect(warn.mock.calls[0]?.[0]).toMatch(/different data on every render.*"function".*now.*useMemo/)
})
