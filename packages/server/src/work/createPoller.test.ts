import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createPoller } from './createPoller.ts'

test('a delay is never negative, which Node.js 24 warns of', async () => {
  const delays: (number | undefined)[] = []
  const { setTimeout: own } = globalThis
  globalThis.setTimeout = ((call: () => void, delay?: number) => {
    delays.push(delay)
    return own(call, delay)
  }) as typeof globalThis.setTimeout
  let turns = 0
  const pollers = Array.from({ length: 200 }, () =>
    createPoller({ log: pino({ level: 'silent' }), name: 'test', poll: 1_000, turn: async () => void turns++ }),
  )
  for (const poller of pollers) poller.wakeIn(-5)
  globalThis.setTimeout = own
  await expect.poll(() => turns, { timeout: 60_000 }).toBe(200)
  for (const poller of pollers) await poller.stop()
  expect(delays.length).toBeGreaterThanOrEqual(200)
  expect(delays.filter((delay) => !(Number(delay) >= 0))).toEqual([])
})
