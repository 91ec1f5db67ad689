import { describe, expect, test } from 'vitest'
import { formatAmount } from './formatAmount.ts'

const whole = (amount: bigint, decimals: number) => {
  const { main, rest } = formatAmount(amount, decimals)
  return main + rest
}

describe('formatAmount', () => {
  test('keeps every digit', () => {
    expect(whole(1_234_567_890_123_456_789_012_345n, 18)).toBe('1,234,567.890123456789012345')
    expect(whole(2n ** 256n - 1n, 0).replaceAll(',', '')).toBe((2n ** 256n - 1n).toString())
    expect(whole(1n, 18)).toBe('0.000000000000000001')
  })

  test('ends where the number ends', () => {
    expect(formatAmount(1_500_000n, 6)).toEqual({ main: '1.5', rest: '' })
    expect(formatAmount(94n, 0)).toEqual({ main: '94', rest: '' })
    expect(formatAmount(0n, 18)).toEqual({ main: '0', rest: '' })
  })

  test('says where the small part begins', () => {
    expect(formatAmount(40_096_848_660_996_848_661n, 18)).toEqual({ main: '40.096848', rest: '660996848661' })
    expect(formatAmount(-1_234_567_8n, 7)).toEqual({ main: '-1.234567', rest: '8' })
  })
})
