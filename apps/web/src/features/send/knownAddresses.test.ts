import { describe, expect, test } from 'vitest'
import { findRecipient, judgeRecipient } from './knownAddresses.ts'

const friend = '0xabcd000000000000000000000000000000001234'
const twin = '0xabcd999999999999999999999999999999991234'
const stranger = '0x5555555555555555555555555555555555555555'

describe('judgeRecipient', () => {
  const known = { trusted: new Set([friend]), seen: new Set([twin, stranger]) }

  test('knows addresses paid before, in any letter case', () => {
    expect(judgeRecipient(friend.toUpperCase().replace('0X', '0x'), known)).toEqual({ status: 'known' })
  })

  test('an address that looks like a known one is another, though it is among the transfers', () => {
    expect(judgeRecipient(twin, known)).toEqual({ status: 'lookalike', of: friend })
  })

  test('of two that were seen and look alike, neither is trusted', () => {
    const seen = { trusted: new Set<string>(), seen: new Set([friend, twin]) }
    expect(judgeRecipient(friend, seen)).toEqual({ status: 'lookalike', of: twin })
    expect(judgeRecipient(twin, seen)).toEqual({ status: 'lookalike', of: friend })
  })

  test('of two that were both paid and look alike, one is a scammer', () => {
    expect(judgeRecipient(twin, { trusted: new Set([friend, twin]), seen: new Set() })).toMatchObject({ of: friend })
  })

  test('one matching end is not a lookalike; an address that was only seen is new', () => {
    expect(judgeRecipient('0xabcd111111111111111111111111111111111111', known)).toEqual({ status: 'new' })
    expect(judgeRecipient(stranger, known)).toEqual({ status: 'new' })
  })
})

describe('findRecipient', () => {
  const word = (address: string) => address.slice(2).padStart(64, '0')
  const token = '0x7777777777777777777777777777777777777777'

  test('of the chain’s own currency, of tokens, of collectibles', () => {
    expect(findRecipient(friend, '1', '0x')).toBe(friend)
    expect(findRecipient(token, '0', `0xa9059cbb${word(friend)}${'1'.padStart(64, '0')}`)).toBe(friend)
    for (const call of ['42842e0e', '23b872dd', 'f242432a'])
      expect(findRecipient(token, '0', `0x${call}${word(stranger)}${word(friend)}${'1'.padStart(64, '0')}`)).toBe(
        friend,
      )
  })

  test('finds no recipient without a payment, for a new contract, or for another call', () => {
    expect(findRecipient(friend, '0', '0x')).toBeUndefined()
    expect(findRecipient(undefined, '1', '0x6000')).toBeUndefined()
    expect(findRecipient(token, '0', `0x095ea7b3${word(friend)}`)).toBeUndefined()
    expect(findRecipient(token, '0', '0xa9059cbb1234')).toBeUndefined()
  })
})
