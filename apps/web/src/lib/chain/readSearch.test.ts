import { expect, test } from 'vitest'
import { readSearch } from './readSearch.ts'

test('a search is known by its shape', () => {
  const hash = `0x${'Ab'.repeat(32)}`
  const address = `0x${'Ab'.repeat(20)}`
  expect(readSearch(' 1,234 ')).toEqual({ kind: 'block', value: '1234' })
  expect(readSearch('#7')).toEqual({ kind: 'block', value: '7' })
  expect(readSearch('Latest')).toEqual({ kind: 'block', value: 'latest' })
  expect(readSearch(hash)).toEqual({ kind: 'tx', value: hash.toLowerCase() })
  expect(readSearch(address)).toEqual({ kind: 'address', value: address.toLowerCase() })
  expect(readSearch('Ada.eth')).toEqual({ kind: 'name', value: 'ada.eth' })
  for (const text of ['', 'ada', `${address}0`, '0x12.eth/..', 'a b.eth']) expect(readSearch(text).kind).toBe('unknown')
})
