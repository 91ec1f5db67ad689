import { expect, test } from 'vitest'
import { findDisplayField, nameObject, objectPath } from './schemas.ts'

const text = { type: 'String' }
const common = { objectId: text, createdAt: { type: 'Date' } }

test('an object is named by the field that tells most, else by its first text', () => {
  expect(findDisplayField({ ...common, slug: text, title: text })).toBe('title')
  expect(findDisplayField({ ...common, title: { type: 'Number' }, body: text })).toBe('body')
  expect(findDisplayField({ ...common, score: { type: 'Number' } })).toBeUndefined()
  expect(findDisplayField(undefined)).toBeUndefined()
})

test('an empty name gives way to the id', () => {
  const fields = { ...common, name: text }
  expect(nameObject(fields, { objectId: 'a1', name: 'Ada' })).toBe('Ada')
  expect(nameObject(fields, { objectId: 'a1', name: '  ' })).toBe('a1')
  expect(nameObject(fields, { objectId: 'a1' })).toBe('a1')
})

test('an address keeps what is in names', () => {
  expect(objectPath('_User', 'a/b?c')).toBe('/admin/data/_User?row=a%2Fb%3Fc')
})
