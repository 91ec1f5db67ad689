import { expect, test } from 'vitest'
import { createFetchQueue } from './getFetcher.ts'

const never = new AbortController().signal

/** Work that ends when it is let go, by its name. */
function createWorks(queue: ReturnType<typeof createFetchQueue>) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, host: string, asker: string, signal = never) =>
    queue({ host, asker, signal }, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  return { started, begin, end: (name: string) => ends.get(name)?.() }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('SEC-24: a host and a caller have a share; the caller with the least under way goes first', async () => {
  const { started, begin, end } = createWorks(createFetchQueue({ atOnce: 4, share: 2, patience: 60_000 }))
  const all = [begin('a1', 'h1', 'a'), begin('a2', 'h1', 'a'), begin('a3', 'h2', 'a'), begin('b1', 'h1', 'b')]
  await settle()
  expect(started).toEqual(['a1', 'a2'])
  all.push(begin('b2', 'h2', 'b'), begin('c1', 'h3', 'c'), begin('c2', 'h3', 'c'), begin('d1', 'h4', 'd'))
  await settle()
  expect(started).toEqual(['a1', 'a2', 'b2', 'c1'])
  end('a1')
  await settle()
  // Both b1 and a3 have waited longer, but d has nothing under way.
  expect(started.slice(4)).toEqual(['d1'])
  end('c1')
  await settle()
  expect(started.slice(5)).toEqual(['c2'])
  for (const name of ['a2', 'b2', 'c2', 'd1']) end(name)
  await settle()
  for (const name of ['a3', 'b1']) end(name)
  expect((await Promise.all(all)).sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'd1'])
})

test('SEC-24: the line is bounded, for one caller and for all; who leaves it frees the place', async () => {
  const { started, begin, end } = createWorks(
    createFetchQueue({ atOnce: 1, share: 1, patience: 60_000, longest: 3, longestEach: 2 }),
  )
  const first = begin('a0', 'h', 'a')
  const leaves = new AbortController()
  const leaver = begin('a1', 'h', 'a', leaves.signal)
  const second = begin('a2', 'h', 'a')
  await expect(begin('a3', 'h', 'a')).rejects.toMatchObject({ code: 155 })
  const other = begin('b1', 'h', 'b')
  await expect(begin('c1', 'h', 'c')).rejects.toMatchObject({ code: 155 })
  leaves.abort(new Error('left'))
  await expect(leaver).rejects.toThrow('left')
  const third = begin('c2', 'h', 'c')
  for (const name of ['a0', 'a2', 'b1', 'c2']) {
    await settle()
    end(name)
  }
  await Promise.all([first, second, third, other])
  expect(started.includes('a1')).toBe(false)
})

test('SEC-24: no caller waits longer than its limit', async () => {
  const { begin, end } = createWorks(createFetchQueue({ atOnce: 1, share: 1, patience: 20 }))
  const first = begin('a', 'h', 'a')
  await expect(begin('b', 'h', 'b')).rejects.toMatchObject({ code: 155 })
  end('a')
  await first
})
