import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { runFunction } from '../../core/documents/runFunction.ts'
import { createDocument } from '../../core/documents/saveDocuments.ts'
import { signUp } from '../../core/session/signUp.ts'
import { connectTo } from '../../testing/connectTo.ts'
import { inside } from '../../testing/inside.tsx'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { useConfig } from './useConfig.ts'
import { useFunction, useRunFunction } from './useFunction.ts'

setUpPage()
const code = `
  import { CountersignError, defineFunction, z } from 'countersign'
  export const day = defineFunction({
    input: z.object({ at: z.date() }),
    handle: ({ input }) => ({ next: new Date(input.at.getTime() + 86_400_000), list: [input.at] }),
  })
  export const whoAmI = defineFunction({ handle: ({ user }) => user ? user.username : 'guest' })
  export const games = defineFunction({ handle: ({ objects }) => objects.find('Game', { order: ['title'] }) })
  export const title = defineFunction({ handle: ({ input }) => input.game })
  export const nothing = defineFunction({ handle() {} })
  export const quota = defineFunction({ handle() { throw new CountersignError('ExceededQuota', 'No more today.') } })
`

const server = serveTests({}, { 'main.mjs': code })

const connect = () => connectTo(server, { throwOnError: true })

test('R21: dates and objects are sent and returned, frozen', async () => {
  const { client } = await connect()
  const at = new Date('2026-01-02T03:04:05.678Z')
  const answer = await runFunction(client, 'day', { at })
  expect(answer).toEqual({ next: new Date('2026-01-03T03:04:05.678Z'), list: [at] })
  expect(Object.isFrozen(answer)).toBe(true)
  expect(await runFunction(client, 'nothing')).toBeUndefined()
  const game = await createDocument(client, 'Game', { title: 'Chess' })
  expect(await runFunction(client, 'title', { game, objectId: 'is a name like any other' })).toEqual({
    __type: 'Pointer',
    className: 'Game',
    objectId: game?.objectId,
  })
})

test('R21, R22: errors arrive with text and code; names that would change the request are refused', async () => {
  const { client } = await connect()
  await expect(runFunction(client, 'quota')).rejects.toMatchObject({ code: 140, message: 'No more today.' })
  await expect(runFunction(client, 'day', { at: 'x' })).rejects.toMatchObject({
    code: 142,
    message: expect.stringMatching(/at: /),
  })
  await expect(runFunction(client, 'constructor')).rejects.toMatchObject({ code: 141 })
  await expect(runFunction(client, 'whoAmI', { _method: 'DELETE' })).rejects.toThrow('_method')
})

test('useFunction reads as the present user, once for all who ask the same, and again after a save', async () => {
  const { client, wire } = await connect()
  const who = renderHook(() => [useFunction('whoAmI'), useFunction('whoAmI', {})] as const, inside({ client }))
  await waitFor(() => expect(who.result.current[1]).toMatchObject({ status: 'success', data: 'guest' }))
  expect(wire.calls.filter(({ path }) => path === '/functions/whoAmI')).toHaveLength(1)
  await act(() => signUp(client, { username: 'ada', password: 'correct horse' }))
  await waitFor(() => expect(who.result.current[0]).toMatchObject({ status: 'success', data: 'ada' }))

  const games = renderHook(({ enabled }) => useFunction('games', {}, { enabled }), {
    ...inside({ client }),
    initialProps: { enabled: false },
  })
  expect(games.result.current.status).toBe('pending')
  games.rerender({ enabled: true })
  await waitFor(() => expect(games.result.current).toMatchObject({ data: [{ title: 'Chess' }] }))
  await act(() => createDocument(client, 'Game', { title: 'Go' }))
  await waitFor(() => expect(games.result.current).toMatchObject({ data: [{ title: 'Chess' }, { title: 'Go' }] }))

  const failed = renderHook(() => useFunction('quota'), inside({ client }))
  await waitFor(() => expect(failed.result.current).toMatchObject({ status: 'error', error: { code: 140 } }))
})

test('useRunFunction runs on request', async () => {
  const { client } = await connect()
  const { result } = renderHook(() => useRunFunction('day'), inside({ client }))
  expect(result.current.status).toBe('idle')
  const received: unknown[] = []
  await act(async () => {
    await result.current.run({ at: new Date(0) }, { onSuccess: (data) => received.push(data) })
  })
  expect(result.current).toMatchObject({ status: 'success', data: { next: new Date(86_400_000) } })
  expect(received).toHaveLength(1)
  await act(async () => {
    await result.current.run({ at: 5 }, { onError: (error) => received.push(error.code) })
  })
  expect(result.current.status).toBe('error')
  expect(received[1]).toBe(142)
  act(() => result.current.reset())
  expect(result.current.status).toBe('idle')
})

test('settings of the application are read by components, without those for the master key alone', async () => {
  const { client, wire } = await connect()
  const since = { __type: 'Date', iso: '2026-01-02T03:04:05.678Z' }
  const params = { newCheckout: true, since, secret: 'for operators' }
  await server.asMaster('PUT', '/config', { params, masterKeyOnly: { secret: true } })
  const { result } = renderHook(
    () => ({ all: useConfig(), one: useConfig({ select: ({ newCheckout }) => newCheckout === true }) }),
    inside({ client }),
  )
  await waitFor(() => expect(result.current.all.status).toBe('success'))
  expect(result.current.all.data).toEqual({ newCheckout: true, since: new Date(since.iso) })
  expect(Object.isFrozen(result.current.all.data)).toBe(true)
  expect(result.current.one.data).toBe(true)
  expect(wire.calls.filter(({ path }) => path === '/config').length).toBe(1)
  await server.asMaster('PUT', '/config', { params: { newCheckout: false } })
  await act(() => result.current.all.refetch())
  expect(result.current.one.data).toBe(false)
})
