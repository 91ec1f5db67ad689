import { expect, test } from 'vitest'
import { nameChain } from './nameChain.ts'

test('names a well-known chain, and shows the id of another', () => {
  expect([1, '137', 31337].map(nameChain)).toEqual(['Ethereum', 'Polygon', 'Chain 31337'])
})
