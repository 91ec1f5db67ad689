import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TimeLimit } from '../context/Registry.ts'
import { untilAborted, withTimeLimit } from './withTimeLimit.ts'

test('a signal is aborted with the reason, whether code asked for it before the end or after', async () => {
  let limit = undefined as unknown as TimeLimit
  let early = undefined as unknown as AbortSignal
  const reasons: unknown[] = []
  const work = withTimeLimit(20, 'The work', async (given) => {
    limit = given
    early = given.signal
    given.onAbort((reason) => reasons.push(reason))
    const takeBack = given.onAbort(() => reasons.push('taken back'))
    takeBack()
    given.throwIfAborted()
    await pause(5_000, undefined, { ref: false })
  })
  const error = await work.catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 124, message: 'The work took longer than 20 ms.' })
  expect([early.aborted, early.reason, limit.signal, reasons]).toEqual([true, error, early, [error]])
  expect(() => limit.throwIfAborted()).toThrow('The work took longer')
  await expect(untilAborted(limit, async () => 'done')).rejects.toBe(error)

  let late = undefined as unknown as TimeLimit
  await withTimeLimit(20, 'Other work', (given) => {
    late = given
    return new Promise(() => {})
  }).catch(() => {})
  expect([late.signal.aborted, late.signal.reason.message]).toEqual([true, 'Other work took longer than 20 ms.'])
})

test('work that ends or throws first settles the result, and its limit never comes', async () => {
  const limits: TimeLimit[] = []
  const fail = (given: TimeLimit): Promise<never> => {
    limits.push(given)
    throw new Error('failed')
  }
  await expect(withTimeLimit(20, 'The work', fail)).rejects.toThrow('failed')
  const succeed = async (given: TimeLimit) => limits.push(given)
  expect(await withTimeLimit(20, 'The work', succeed)).toBe(2)
  await pause(60)
  expect(limits.map(({ signal }) => signal.aborted)).toEqual([false, false])
})
