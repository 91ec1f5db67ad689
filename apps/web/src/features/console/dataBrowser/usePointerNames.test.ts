import { expect, test } from 'vitest'
import { listPointers } from './usePointerNames.ts'

test('pointers of the rows are listed once, and whatever is no pointer is left out', () => {
  const fields = { owner: { type: 'Pointer', targetClass: '_User' }, name: { type: 'String' } }
  const owner = { __type: 'Pointer', className: '_User', objectId: 'u1' }
  expect(
    listPointers(fields, [{ owner, name: 'a' }, undefined, { owner }, { owner: 'broken' }, { name: owner }]),
  ).toEqual(['_User:u1'])
})
