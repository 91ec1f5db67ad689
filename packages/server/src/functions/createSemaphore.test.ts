import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSemaphore } from './createSemaphore.ts'
import { limitOf } from './withTimeLimit.ts'

const never = () => new Promise<never>(() => {})
const open = () => limitOf(new AbortController().signal)

test('so many go at once, in the order they came; beyond the line they are sent away with 429', async () => {
  const slots = createSemaphore(2, 3)
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (n: number) => async () => {
    most = Math.max(most, ++running)
    await pause(5)
    running--
    order.push(n)
    return n
  }
  const all = [0, 1, 2, 3, 4].map((n) => slots.run(open(), work(n)))
  await expect(slots.run(open(), work(5))).rejects.toMatchObject({
    code: 155,
    status: 429,
    rateLimit: { retryAfter: 1 },
  })
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4]])
})

test('P13: work that does not end in time frees its place, and late waiters leave the queue', async () => {
  const slots = createSemaphore(1, 2)
  const hangs = new AbortController()
  void slots.run(limitOf(hangs.signal), never)
  const waits = new AbortController()
  const waiting = slots.run(limitOf(waits.signal), async () => 'too late')
  const next = slots.run(open(), async () => 'served')
  waits.abort(new Error('time limit was exceeded'))
  await expect(waiting).rejects.toThrow('time limit was exceeded')
  hangs.abort()
  expect(await next).toBe('served')
  expect(await slots.run(open(), async () => 'and again')).toBe('and again')
})

test('a failure gives the place away, too', async () => {
  const slots = createSemaphore(1, 1)
  await expect(slots.run(open(), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await slots.run(open(), async () => 1)).toBe(1)
})
