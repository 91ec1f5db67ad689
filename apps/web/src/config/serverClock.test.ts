import { afterEach, expect, test } from 'vitest'
import { formatRelativeTime } from '../ui/RelativeTime.tsx'
import { serverClock } from './serverClock.ts'

afterEach(() => serverClock.learn(null))

test('shows correct times on a device with a wrong clock', () => {
  const now = new Date(Date.now() + 5 * 3_600_000 + 60_000)
  expect(formatRelativeTime(now)).toBe('in 5 hours')
  serverClock.learn(now.toUTCString())
  expect(formatRelativeTime(now)).toBe('just now')
})

test('tolerates a network delay and a response without a time', () => {
  for (const date of [new Date(Date.now() - 60_000).toUTCString(), 'soon', null]) {
    serverClock.learn(date)
    expect(Math.abs(serverClock.now() - Date.now())).toBeLessThan(1000)
  }
})
