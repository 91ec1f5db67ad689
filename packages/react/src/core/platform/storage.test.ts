// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { openStorage } from './storage.ts'

test('the page has its localStorage used', () => {
  openStorage().setItem('key', 'value')
  expect(window.localStorage.getItem('key')).toBe('value')
  openStorage().removeItem('key')
  expect(window.localStorage.getItem('key')).toBeNull()
})

test('keeps values in memory that the storage refuses, and removes the older value', () => {
  const area = new Map([['key', 'old']])
  const full = {
    getItem: (key: string) => area.get(key) ?? null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: (key: string) => void area.delete(key),
  }
  const storage = openStorage(full)
  expect(storage.getItem('key')).toBe('old')
  storage.setItem('key', 'new')
  expect(storage.getItem('key')).toBe('new')
  expect(area.has('key')).toBe(false)
  storage.removeItem('key')
  expect(storage.getItem('key')).toBeNull()
})

test('a page that may not use its storage at all still gets one', () => {
  const forbidden = Object.getOwnPropertyDescriptor(window, 'localStorage')
  Object.defineProperty(window, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  try {
    const storage = openStorage()
    storage.setItem('key', 'value')
    expect(storage.getItem('key')).toBe('value')
  } finally {
    if (forbidden) Object.defineProperty(window, 'localStorage', forbidden)
    else Reflect.deleteProperty(window, 'localStorage')
  }
})
