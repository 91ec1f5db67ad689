import { CountersignError, errorCodes } from '@countersign/protocol'
import { expect, test } from 'vitest'
import { loadOnce } from './loadOnce.ts'

test('loads once, also for concurrent calls', async () => {
  let count = 0
  const load = loadOnce(async () => ({ number: ++count }))
  const [first, second] = await Promise.all([load(), load()])
  expect(first).toBe(second)
  expect(await load()).toEqual({ number: 1 })
})

test('a part that cannot be fetched is a clear error, and the next call fetches it', async () => {
  let isOffline = true
  const load = loadOnce(async () => {
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module')
    return 'there'
  })
  const failure = await load().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CountersignError)
  expect(failure).toMatchObject({
    code: errorCodes.ConnectionFailed,
    message: 'A part of this page could not be loaded.',
    details: expect.stringContaining('try again'),
    cause: expect.any(TypeError),
  })
  isOffline = false
  expect(await load()).toBe('there')
})
