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
  expect(readSearch('0xada.eth')).toEqual({ kind: 'name', value: '0xada.eth' })
  for (const text of ['1,234,567', '1.234.567', '1 234 567', '1’234’567', '\u200b1234567\u202c', '１２３４５６７'])
    expect(readSearch(text), text).toEqual({ kind: 'block', value: '1234567' })
  expect(readSearch(`https://scan.example/tx/${hash}?a=1#eventlog`)).toEqual({ kind: 'tx', value: hash.toLowerCase() })
  expect(readSearch('https://scan.example/block/77')).toEqual({ kind: 'block', value: '77' })
  expect(readSearch(`\ufeff${address}\u200b`)).toEqual({ kind: 'address', value: address.toLowerCase() })
  const none = ['1.5', '10.0.0.1', '1,23', '9'.repeat(16), '0x123', 'https://ada.eth', 'a@b.eth', '?x.y']
  for (const text of ['', 'ada', `${address}0`, '0x12.eth/..', 'a b.eth', ...none])
    expect(readSearch(text).kind).toBe('unknown')
})
