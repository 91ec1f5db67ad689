import type { Portfolio, Transfer } from '@countersign/react'
import { describe, expect, test } from 'vitest'
import { gatherHoldings } from './gatherHoldings.ts'
import { mergeTransfers } from './mergeTransfers.ts'
import { sumValues } from './sumValues.ts'
import { traceValue } from './traceValue.ts'
import { formatUsd, readUsd } from './usd.ts'

const [coin, loaf, me, other] = ['0xc0', '0x10af', '0xa', '0xb']
const dollar = 10n ** 18n

function portfolio(balance: bigint, usd: string): Portfolio {
  const tokens = [
    { token: coin, symbol: 'COIN', decimals: 2, balance, usd },
    { token: loaf, symbol: 'LOAF', decimals: 0, balance: 3n },
    { token: '0xdead', symbol: 'GONE', decimals: 0, balance: 0n },
  ]
  const native = { balance: 5n, symbol: 'ETH', decimals: 18 }
  return { address: me, chains: [{ chain: 1, name: 'One', native, tokens }] } as unknown as Portfolio
}

function transfer(day: number, from: string, to: string, amount: bigint): Transfer {
  const block = { number: day, hash: `0x${day}`, timestamp: new Date(Date.UTC(2026, 0, day)) }
  const place = { transaction: `0xt${day}`, transactionIndex: 0, logIndex: 0 }
  return { kind: 'erc20', token: coin, from, to, amount, block, ...place }
}

describe('what wallets hold', () => {
  test('is added up token by token; what has no price is counted apart', () => {
    const { holdings, total, unpriced } = gatherHoldings([portfolio(100n, '1.5'), portfolio(300n, '4.5')])
    expect(holdings.map(({ symbol, balance, wallets }) => [symbol, balance, wallets])).toEqual([
      ['COIN', 400n, 2],
      ['ETH', 10n, 2],
      ['LOAF', 6n, 2],
    ])
    expect(total).toBe(6n * dollar)
    expect(unpriced).toBe(2)
    expect(gatherHoldings([portfolio(100n, '1.5')], 2).holdings).toEqual([])
  })

  test('dollars are exact', () => {
    expect(formatUsd(readUsd('128309.9157151899157152'))).toBe('$128,309.92')
    expect(formatUsd(readUsd('9007199254740993.13'))).toBe('$9,007,199,254,740,993.13')
    expect(formatUsd(readUsd('0.001'))).toBe('< $0.01')
    expect(formatUsd(0n)).toBe('$0.00')
  })
})

describe('transfers of several wallets', () => {
  test('are one list without doubles, down to where one of them may lack something', () => {
    const shared = transfer(8, me, other, 1n)
    const merged = mergeTransfers([
      { chain: 1, rows: [shared, transfer(5, me, '0xc', 1n)], hasMore: true },
      { chain: 1, rows: [transfer(9, other, '0xc', 1n), shared, transfer(2, other, '0xc', 1n)], hasMore: false },
    ])
    expect(merged.rows.map(({ block }) => block.number)).toEqual([9, 8, 5])
    expect(merged.since).toEqual(new Date(Date.UTC(2026, 0, 5)))
  })

  test('a source of which nothing has come yet holds everything back', () => {
    const merged = mergeTransfers([
      { chain: 1, rows: [transfer(5, me, other, 1n)], hasMore: false },
      { chain: 2, rows: [], hasMore: true },
    ])
    expect(merged.rows).toEqual([])
  })
})

test('value over time goes back from what is held now; a transfer between own wallets changes nothing', () => {
  const { holdings } = gatherHoldings([portfolio(400n, '8')])
  const rows = [transfer(9, me, other, 50n), transfer(6, '0xc', me, 300n), transfer(3, me, '0xc', 100n)]
  const { rows: transfers } = mergeTransfers([{ chain: 1, rows, hasMore: false }])
  const now = Date.UTC(2026, 0, 10)
  const trace = (own: string[]) => traceValue(holdings, transfers, new Set(own), now).map(({ value }) => value / dollar)
  expect(trace([me, other])).toEqual([4n, 2n, 2n, 8n, 8n])
  expect(trace([me])).toEqual([5n, 3n, 3n, 9n, 9n, 8n, 8n])
})

test('the values of several wallets and chains are one line, each as it was known at that time', () => {
  const at = (day: number, number: number, usd: string) => ({
    block: { number, hash: '0x', timestamp: new Date(Date.UTC(2026, 0, day)).toISOString() },
    usd,
    unpriced: 0,
  })
  const old = { points: [at(1, 700, '10'), at(3, 800, '20.5'), at(5, 900, '5')], complete: true }
  // A chain that began on the second day.
  const young = { points: [at(2, 0, '1'), at(4, 8, '3')], complete: true }
  const points = sumValues([
    { chain: 1, history: old },
    { chain: 7, history: young },
  ])
  const days = points.map(({ time, value }) => [new Date(time).getUTCDate(), value / (dollar / 10n)])
  expect(days).toEqual([
    [1, 100n],
    [2, 110n],
    [3, 215n],
    [4, 235n],
    [5, 80n],
  ])
  expect(points[0]?.blocks).toEqual([{ chain: 1, block: 700 }])
  expect(points.at(-1)?.blocks).toEqual([
    { chain: 1, block: 900 },
    { chain: 7, block: 8 },
  ])
  expect(sumValues([])).toEqual([])
})
