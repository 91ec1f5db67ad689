import { expect, test, vi } from 'vitest'
import { createQueue } from './createQueue.ts'
import { createStore } from './createStore.ts'

test('listeners receive changes, and only changes, until they unsubscribe', () => {
  const store = createStore(1)
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.set(1)
  expect(listener).not.toHaveBeenCalled()
  store.set(2)
  expect(store.get()).toBe(2)
  expect(listener).toHaveBeenCalledTimes(1)
  leave()
  store.set(3)
  expect(listener).toHaveBeenCalledTimes(1)
})

test('one listener given twice is two subscriptions', () => {
  const store = createStore(1)
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.subscribe(listener)
  leave()
  leave()
  store.set(2)
  expect(listener).toHaveBeenCalledTimes(1)
})

test('a throwing listener stops neither the others nor the setter', async () => {
  const store = createStore(1)
  const listener = vi.fn()
  const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined)
  store.subscribe(() => {
    throw new Error('listener')
  })
  store.subscribe(listener)
  expect(() => store.set(2)).not.toThrow()
  expect(listener).toHaveBeenCalledTimes(1)
  expect(later).toHaveBeenCalledTimes(1)
  later.mockRestore()
})

test('tasks run one after another, the first at once, and a failed one lets the next go on', async () => {
  const { run } = createQueue()
  const log: string[] = []
  const task = (name: string, fails = false) =>
    run(async () => {
      log.push(`${name} starts`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const first = task('first', true)
  expect(log).toEqual(['first starts'])
  const second = task('second')
  const third = task('third')
  await expect(first).rejects.toThrow('first')
  expect(await Promise.all([second, third])).toEqual(['second', 'third'])
  expect(log).toEqual(['first starts', 'first ends', 'second starts', 'second ends', 'third starts', 'third ends'])
})
