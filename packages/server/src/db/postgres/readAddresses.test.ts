import { expect, test } from 'vitest'
import { readAddresses } from './readAddresses.ts'

test.each([
  ['postgres://u:p@a:5432/db', ['postgres://u:p@a:5432/db']],
  ['postgres://u:p@a/db?sslmode=require', ['postgres://u:p@a/db?sslmode=require']],
  ['postgresql://u:p@a,b:5433,c/db', ['postgresql://u:p@a/db', 'postgresql://u:p@b:5433/db', 'postgresql://u:p@c/db']],
  ['postgres://a,b/db?target_session_attrs=read-write', ['postgres://a/db', 'postgres://b/db']],
  [
    'postgres://u:p%40%2C@[::1]:5432,b/db?sslmode=require&target_session_attrs=primary',
    ['postgres://u:p%40%2C@[::1]:5432/db?sslmode=require', 'postgres://u:p%40%2C@b/db?sslmode=require'],
  ],
  ['postgres://u:a,b@h/db', ['postgres://u:a,b@h/db']],
  ['postgres:///db?host=a,b&port=1,2', ['postgres://a:1/db', 'postgres://b:2/db']],
  ['postgres:///db?host=a,b&port=1', ['postgres://a:1/db', 'postgres://b:1/db']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
])('%s names %j', (url, addresses) => {
  expect(readAddresses(url)).toEqual(addresses)
})

test.each([
  ['mysql://a/db', /look like postgres:/],
  ['nothing', /look like postgres:/],
  ['postgres://u:secret@a,/db', /empty host/],
  ['postgres://u:secret@a,b/db?target_session_attrs=standby', /must be read-write/],
  ['postgres:///db?host=a,b,c&port=1,2', /one port per host/],
  [`postgres://u:secret@${Array.from({ length: 17 }, (_, n) => `h${n}`).join(',')}/db`, /at most 16 hosts/],
])('rejects %s without quoting it', (url, reason) => {
  expect(() => readAddresses(url)).toThrow(reason)
  expect(() => readAddresses(url)).not.toThrow(/secret/)
})
