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

test('an end in 90 days is not shown as one in 2 months a second later', () => {
  const inDays = (days: number) => formatRelativeTime(new Date(days * 86_400_000 - 1_000), 0)
  expect([7, 30, 90, 365].map(inDays)).toEqual(['in 7 days', 'in 4 weeks', 'in 3 months', 'in 12 months'])
  expect(formatRelativeTime(new Date(0), 89 * 60_000)).toBe('1 hour ago')
})
