import type { WireFields } from '@countersign/protocol'
import { expect, test } from 'vitest'
import { parseCsv, readFile } from './dataFiles.ts'
import { toCreate } from './dataRows.ts'
import { toCsv } from './dataValues.ts'

const fields = {
  name: { type: 'String' },
  amount: { type: 'Number' },
  owner: { type: 'Pointer', targetClass: '_User' },
  details: { type: 'Object' },
}

test('CSV is read cell by cell, with quotes, commas and line ends in them', () => {
  expect(parseCsv('a,b\r\n1,"x, ""y""\nz"\n\n2,')).toEqual([
    ['a', 'b'],
    ['1', 'x, "y"\nz'],
    ['2', ''],
  ])
  expect(parseCsv('\uFEFFa\n')).toEqual([['a']])
  expect(() => parseCsv('a\n"open')).toThrow()
})

test('reads an exported file again', () => {
  const rows: WireFields[] = [
    { objectId: 'one', name: '=1+1', amount: -4.5, owner: { __type: 'Pointer', className: '_User', objectId: 'u1' } },
    { objectId: 'two', name: 'a,"b"\n', details: { a: [1] } },
  ]
  const names = ['objectId', 'name', 'amount', 'owner', 'details', 'createdAt']
  const all = { ...fields, objectId: { type: 'String' }, createdAt: { type: 'Date' } }
  expect(readFile('x.csv', toCsv(names, rows), all)).toEqual(rows.map((row) => ({ row })))
  expect(readFile('x.json', JSON.stringify({ results: rows }), all)).toEqual(rows.map((row) => ({ row })))
})

test('names an invalid cell, and reads the others', () => {
  expect(readFile('x.csv', 'name,amount\nfirst,many\nsecond,2', fields)).toEqual([
    { problem: 'amount: many' },
    { row: { name: 'second', amount: 2 } },
  ])
  expect(() => readFile('x.json', '{"a":1}', fields)).toThrow()
})

test('creates an object again without fields that only the server sets', () => {
  const relation = { __type: 'Relation', className: '_User' }
  expect(toCreate({ objectId: 'a', createdAt: 'x', updatedAt: 'y', friends: relation, text: 'z' })).toEqual({
    objectId: 'a',
    text: 'z',
  })
})
