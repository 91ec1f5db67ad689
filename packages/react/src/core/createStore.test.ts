import { expect, test, vi } from 'vitest'
import { createStore } from './createStore.ts'

test('listeners hear changes, and only changes, until they leave', () => {
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

test('a listener that throws keeps neither the others nor the one who set the value from going on', async () => {
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
