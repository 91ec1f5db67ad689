// Types where no class is registered. Compiling is most of the test.
import { expect, test } from 'vitest'
import type { Changes } from '../values/Changes.ts'
import type { Doc } from '../values/Document.ts'
import { readDocument } from './findDocuments.ts'
import { increment } from './op.ts'
import { defineQuery } from './Query.ts'

test('every class and every field can be used, with a value that is yet to be looked at', () => {
  const changes: Changes<'Whatever'> = { score: increment(1), 'a.b': 2 }
  expect(changes).toBeDefined()
  expect(defineQuery('Whatever', { where: { score: { $gt: 5 } }, order: ['-score'], include: ['owner.team'] })).toEqual(
    {
      className: 'Whatever',
      where: { score: { $gt: 5 } },
      order: ['-score'],
      include: ['owner.team'],
    },
  )
  const found = readDocument<Doc<'Whatever'>>('Whatever', { objectId: 'x', score: 5 })
  expect(typeof found.score === 'number' ? found.score + 1 : 0).toBe(6)
  expect(found.objectId.length).toBe(1)
  // @ts-expect-error it may be anything
  const length: number = found.title?.length ?? 0
  expect(length).toBe(0)
})
