import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackground } from './createBackground.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const quiet = pino({ level: 'silent' })

test('SEC-8: background work starts after the response was sent', async () => {
  const background = createBackground(quiet)
  let begun = false
  background.runLater('mail', async () => {
    begun = true
  })
  await vi.advanceTimersByTimeAsync(19)
  expect(begun).toBe(false)
  await vi.advanceTimersByTimeAsync(500)
  expect(begun).toBe(true)
})

test('work that is put aside is bounded: four at a time, a thousand waiting, the rest dropped and logged', async () => {
  const lines: string[] = []
  const background = createBackground(pino({}, { write: (line: string) => void lines.push(line) }))
  const hanging: (() => void)[] = []
  let ended = 0
  for (let i = 0; i < 1_100; i++) {
    background.runLater('mail', async () => {
      await new Promise<void>((resolve) => hanging.push(resolve))
      ended++
    })
  }
  expect(lines).toHaveLength(100)
  expect(lines[0]).toContain('too much of it is waiting')
  await vi.advanceTimersByTimeAsync(500)
  expect(hanging).toHaveLength(4)
  hanging.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
  expect([hanging.length, ended]).toEqual([4, 1])
})

test('settling starts at once what was put aside, and waits for it and for what it starts', async () => {
  const background = createBackground(quiet)
  const done: string[] = []
  background.runLater('first', async () => {
    background.runLater('second', async () => void done.push('second'))
    done.push('first')
  })
  await background.settle()
  expect(done).toEqual(['first', 'second'])
})
