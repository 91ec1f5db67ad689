import { expect, test } from 'vitest'
import { isRead } from './openPostgres.ts'

test.each([
  ['select 1', true],
  ['\n  SELECT "updatedAt" from t where id = $1', true],
  ['with a as (select 1) select * from a', true],
  ['values (1)', true],
  ['insert into t values (1)', false],
  ['with gone as (delete from t returning *) select * from gone', false],
  ['select * from t for update', false],
  ['select * from t for no key update skip locked', false],
  ['select * from t for share', false],
  ["select nextval('s')", false],
  ['update t set a = 1', false],
  ['listen news', false],
])('%j reads only: %s', (text, expected) => {
  expect(isRead(text)).toBe(expected)
})
