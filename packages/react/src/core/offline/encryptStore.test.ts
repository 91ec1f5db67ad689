// @vitest-environment node
import { expect, test } from 'vitest'
import { encryptStore } from './encryptStore.ts'
import { createMemoryStore } from './openIndexedDb.ts'

const createKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']) as Promise<CryptoKey>

test('values are read back, and nothing of them is on the disk', async () => {
  const disk = createMemoryStore()
  const key = await createKey()
  const store = encryptStore(disk, async () => key)
  const blob = new Blob(['the picture'], { type: 'text/plain' })
  const value = { text: 'a secret', n: 12n, list: [1, null], file: { blob, name: 'picture.txt' } }
  await store.write([
    ['row/Note/1', value],
    ['row/Note/2', 'other'],
    ['row/Note/3', undefined],
  ])
  const [[name, read] = [], ...others] = await store.list('row/', 'row0')
  expect(name).toBe('row/Note/1')
  expect(read).toMatchObject({ text: 'a secret', n: 12n, list: [1, null], file: { name: 'picture.txt' } })
  const file = (read as typeof value).file.blob
  expect([file.type, await file.text()]).toEqual(['text/plain', 'the picture'])
  expect(others).toEqual([['row/Note/2', 'other']])
  const bytes = (await disk.list('', '\uffff')).map(([, item]) => {
    const { data, files } = item as { data: ArrayBuffer; files: { data: ArrayBuffer }[] }
    return [data, ...files.map((one) => one.data)].map((one) => Buffer.from(one).toString('latin1')).join()
  })
  expect(bytes.join()).not.toMatch(/secret|picture|other/)
  await store.clear('row/', 'row0')
  expect(await disk.list('', '\uffff')).toEqual([])
})

test('another key, a changed byte and a moved item are refused', async () => {
  const disk = createMemoryStore()
  const key = await createKey()
  const store = encryptStore(disk, async () => key)
  await store.write([['row/Note/1', 'mine']])
  await expect(encryptStore(disk, createKey).list('a', 'z')).rejects.toThrow('encrypted with another key')
  const [[, sealed] = []] = await disk.list('a', 'z')
  await disk.write([['row/Note/2', sealed]])
  await expect(store.list('row/Note/2', 'z')).rejects.toThrow('encrypted with another key')
  const { data } = sealed as { data: ArrayBuffer }
  new Uint8Array(data)[0] = ~(new Uint8Array(data)[0] ?? 0)
  await expect(store.list('row/Note/1', 'row/Note/2')).rejects.toThrow('encrypted with another key')
})
