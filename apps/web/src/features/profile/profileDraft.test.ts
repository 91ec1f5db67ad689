import type { User } from '@countersign/react'
import { expect, test } from 'vitest'
import { nameField, readProfile } from '../../account/profile.ts'
import { checkProfile, diffProfile } from './profileDraft.ts'

const user: User = {
  objectId: 'u1',
  createdAt: new Date('2025-01-01T00:00:00Z'),
  updatedAt: new Date('2025-01-01T00:00:00Z'),
  username: 'ada',
  email: 'ada@example.org',
  emailVerified: false,
  city: 'London',
  age: 36,
  member: true,
  born: new Date('1815-12-10T09:30:00Z'),
  tags: ['one', 'two'],
  ACL: { u1: { read: true, write: true } },
}

test('a profile shows the fields of the application and none of the record’s own', () => {
  const profile = readProfile(user)
  expect(profile.fields.map(({ name, type, value }) => [name, type, value])).toEqual([
    ['age', 'number', '36'],
    ['born', 'date', '1815-12-10'],
    ['city', 'text', 'London'],
    ['member', 'boolean', 'true'],
  ])
  expect(profile.fixed).toEqual([{ name: 'tags', text: '["one","two"]', items: ['one', 'two'] }])
})

test('R5: an untouched profile sends nothing', () => {
  expect(diffProfile(user, readProfile(user))).toEqual({})
})

test('R5: only changed fields are sent, in their own types', () => {
  const profile = readProfile(user)
  const set = (name: string, value: string) => {
    const field = profile.fields.find((candidate) => candidate.name === name)
    if (field) field.value = value
  }
  set('age', '37')
  set('member', 'false')
  set('born', '1815-12-11')
  profile.fields = profile.fields.filter(({ name }) => name !== 'city')
  profile.fields.push({ key: 'new-1', name: 'motto', type: 'text', value: '', isNew: true })
  profile.email = ''
  expect(diffProfile(user, profile)).toEqual({
    age: 37,
    member: false,
    born: new Date('1815-12-11T09:30:00Z'),
    city: { __op: 'Delete' },
    motto: '',
    email: { __op: 'Delete' },
  })
})

test('a name is saved without the spaces around it', () => {
  expect(diffProfile(user, { ...readProfile(user), username: 'ada ' })).toEqual({})
  expect(diffProfile(user, { ...readProfile(user), username: ' grace' })).toEqual({ username: 'grace' })
})

test.each([
  ['', 'Start with a letter, then use only letters, digits and _.'],
  ['1st', 'Start with a letter, then use only letters, digits and _.'],
  ['__proto__', 'Start with a letter, then use only letters, digits and _.'],
  ['password', 'This field name is reserved.'],
  ['constructor', 'This field name is reserved.'],
  ['city', 'A field with this name already exists.'],
  ['tags', 'A field with this name already exists.'],
])('a new field may not be called %j', (name, message) => {
  const profile = readProfile(user)
  profile.fields.push({ key: 'new-1', name, type: 'text', value: '', isNew: true })
  expect(checkProfile(profile)).toEqual({ 'new-1.name': message })
})

test('numbers, dates, the user name and the e-mail address are checked', () => {
  const profile = readProfile(user)
  profile.username = ' '
  profile.email = 'ada'
  for (const field of profile.fields) field.value = ''
  expect(Object.keys(checkProfile(profile)).sort()).toEqual(['age.value', 'born.value', 'email', 'username'])
})

test.each([
  ['city', 'City'],
  ['favouriteNumber', 'Favourite number'],
  ['date_of_birth', 'Date of birth'],
  ['homeURL', 'Home URL'],
])('the name of a field as people write it: %s is %s', (name, text) => {
  expect(nameField(name)).toBe(text)
})
