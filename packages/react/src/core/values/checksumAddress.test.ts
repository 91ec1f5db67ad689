import { bytesToHex, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { checksumAddress } from './checksumAddress.ts'

test('L3: the checksum of an address is that of EIP-55', () => {
  const fixed = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359']
  for (const address of fixed) expect(checksumAddress(address.toLowerCase())).toBe(address)
  for (let count = 0; count < 2000; count++) {
    const address = bytesToHex(crypto.getRandomValues(new Uint8Array(20)))
    expect(checksumAddress(address)).toBe(getAddress(address))
  }
  const upper = `0x${fixed[0]?.slice(2).toUpperCase()}`
  expect(checksumAddress(upper)).toBe(fixed[0])
})

test.each(['', '0x', 'GokivDYuQXPZCWRkwMhdH2h91KpDQXBEmpgBgs55bnpH', '0x12', `0x${'g'.repeat(40)}`])(
  'L3: %j stays as it is',
  (text) => expect(checksumAddress(text)).toBe(text),
)
