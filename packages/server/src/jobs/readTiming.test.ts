import { expect, test } from 'vitest'
import { readCron, readTiming } from './schedules.ts'

function ticks(timing: ReturnType<typeof readCron>, from: string, count: number): string[] {
  const found: string[] = []
  let at: Date | undefined = new Date(from)
  for (let number = 0; number < count; number++) {
    at = at && timing.next(at)
    if (at) found.push(at.toISOString())
  }
  return found
}

test('a cron expression is in UTC, in any time zone of the machine', () => {
  expect(ticks(readCron('30 6 * * 1-5'), '2026-03-06T00:00:00Z', 3)).toEqual([
    '2026-03-06T06:30:00.000Z',
    '2026-03-09T06:30:00.000Z',
    '2026-03-10T06:30:00.000Z',
  ])
  expect(ticks(readCron('*/20 * * * * *'), '2026-03-06T00:00:00Z', 3)).toEqual([
    '2026-03-06T00:00:20.000Z',
    '2026-03-06T00:00:40.000Z',
    '2026-03-06T00:01:00.000Z',
  ])
})

test('a tick is after the time that was asked for, never at it', () => {
  expect(ticks(readCron('0 * * * *'), '2026-03-06T05:00:00.000Z', 1)).toEqual(['2026-03-06T06:00:00.000Z'])
  expect(ticks(readCron('0 * * * *'), '2026-03-06T05:59:59.999Z', 1)).toEqual(['2026-03-06T06:00:00.000Z'])
})

test('an hour that the clocks skip or repeat still has one tick a day', () => {
  const nightly = readCron('30 2 * * *', 'Europe/Berlin')
  const days = (from: string) => ticks(nightly, from, 3).map((tick) => tick.slice(0, 10))
  expect(days('2026-03-28T00:00:00Z')).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  expect(days('2026-10-24T00:00:00Z')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
})

test('a date that never comes has no tick', () => {
  expect(readCron('0 0 31 2 *').next(new Date('2026-01-01T00:00:00Z'))).toBeUndefined()
})

test('a time with minutes to repeat it by', () => {
  const timing = readTiming({ startAfter: '2026-01-01T00:00:00Z', repeatMinutes: 90 })
  expect(ticks(timing, '2025-12-31T00:00:00Z', 3)).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T01:30:00.000Z',
    '2026-01-01T03:00:00.000Z',
  ])
  expect(ticks(readTiming({ startAfter: '2026-01-01T00:00:00Z' }), '2025-12-31T00:00:00Z', 3)).toHaveLength(1)
})
