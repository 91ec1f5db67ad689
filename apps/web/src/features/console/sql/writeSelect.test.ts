import { expect, test } from 'vitest'
import { type Built, writeSelect } from './writeSelect.ts'

const typeOf = (name: string) => (name === 'createdAt' ? 'timestamptz' : 'double precision')
const built: Built = { table: 'Score', figure: 'count', field: '', group: '', unit: 'day' }

test('a query is written from its parts, with names quoted', () => {
  expect(writeSelect({ ...built, figure: 'rows', table: 'a"b' }, typeOf)).toBe(
    'select *\nfrom "a""b"\norder by "createdAt" desc\nlimit 100',
  )
  expect(writeSelect(built, typeOf)).toBe('select count(*) as value\nfrom "Score"')
  expect(writeSelect({ ...built, figure: 'avg', field: 'points', group: 'level' }, typeOf)).toBe(
    'select "level" as "level", avg("points") as value\nfrom "Score"\ngroup by 1\norder by value desc\nlimit 100',
  )
  expect(writeSelect({ ...built, group: 'createdAt', unit: 'week' }, typeOf)).toBe(
    'select date_trunc(\'week\', "createdAt") as "week", count(*) as value\nfrom "Score"\ngroup by 1\norder by 1\nlimit 100',
  )
})
