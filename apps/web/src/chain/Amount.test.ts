import { describe, expect, test } from 'vitest'
import { formatAmount } from './Amount.tsx'

describe('formatAmount', () => {
  test('keeps every digit', () => {
    const whole = (amount: bigint, decimals: number) => formatAmount(amount, decimals).whole
    expect(whole(1_234_567_890_123_456_789_012_345n, 18)).toBe('1,234,567.890123456789012345')
    expect(whole(2n ** 256n - 1n, 0).replaceAll(',', '')).toBe((2n ** 256n - 1n).toString())
    expect(whole(1n, 18)).toBe('0.000000000000000001')
  })

  test('ends where the number ends', () => {
    for (const [amount, decimals, text] of [
      [1_500_000n, 6, '1.5'],
      [94n, 0, '94'],
      [0n, 18, '0'],
      [1n, 18, '0.000000000000000001'],
    ] as const)
      expect(formatAmount(amount, decimals)).toEqual({ short: text, whole: text })
  })

  test.each([
    [79_096_148_660_996_848_661n, 18, '79.0961'],
    [2_000_000_000_000_000_001n, 18, '2'],
    [1_234_567_890_123n, 6, '1,234,567'],
    [999_999_999n, 6, '999.999'],
    [1_234_567_8n, 10, '0.00123456'],
    [-1_234_567_8n, 7, '-1.23456'],
  ])('%s with %s decimals in six digits, never more than is there: %s', (amount, decimals, short) => {
    expect(formatAmount(amount, decimals).short).toBe(short)
  })
})
