import { expect, test } from 'vitest'
import { openNativeStore } from './openIndexedDb.ts'

/** As AsyncStorage keeps them: texts by key. */
function createStorage() {
  const items = new Map<string, string>()
  return {
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
    getAllKeys: async () => [...items.keys()],
    multiGet: async (keys: readonly string[]) => keys.map((key) => [key, items.get(key) ?? null] as const),
    multiSet: async (pairs: [string, string][]) => {
      for (const [key, value] of pairs) items.set(key, value)
    },
    multiRemove: async (keys: readonly string[]) => {
      for (const key of keys) items.delete(key)
    },
  }
}

const marked = ['\0', '\0\0', '\0' + '5', '\0\0' + '5', '\0n', '\\u0000', 'a\0b', '']

test('values come back as they were: texts like the store’s own marks, which others may write, and numbers of chains', async () => {
  const values = [
    ...marked,
    10n ** 30n,
    -1n,
    { __bigint: 'not a number' },
    { __bigint: '5', nested: [{ '\0': '\0' + '7', amount: 7n }] },
    [null, true, 1.5, {}],
  ]
  const storage = createStorage()
  await openNativeStore(storage).write(values.map((value, index) => [`k${index + 10}`, value] as const))
  const read = await openNativeStore(storage).list('k', 'l')
  expect(read.map(([, value]) => value)).toEqual(values)
})
