import type { Wallet } from '@countersign/react/account'
import type { Portfolio, Transfer } from '@countersign/react/chain'
import { describe, expect, test } from 'vitest'
import { gatherHoldings } from '../../chain/gatherHoldings.ts'
import { mergeTransfers } from '../../chain/mergeTransfers.ts'
import { findLookalikes } from '../../chain/TransferRows.tsx'
import { formatUsd, readUsd } from '../../chain/usd.ts'
import { keepOwnChains } from '../../chain/usePortfolios.ts'
import { skipEmpty, sumValues } from './sumValues.ts'
import { traceValue } from './traceValue.ts'

const [coin, loaf, me, other] = ['0xc0', '0x10af', '0xa', '0xb'] as const
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

function transfer(day: number, from: `0x${string}`, to: `0x${string}`, amount: bigint): Transfer {
  const block = { number: day, hash: `0x${day}`, timestamp: new Date(Date.UTC(2026, 0, day)) }
  const place = { transaction: `0xt${day}`, transactionIndex: 0, logIndex: 0 }
  return { kind: 'erc20', token: coin, from, to, amount, block, ...place }
}

describe('holdings of wallets', () => {
  test('is added up token by token; tokens without a price are counted separately', () => {
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

  test('marks a token without a price that imitates another’s name, in any spelling', () => {
    const tokens = [
      { token: coin, name: 'Coin', symbol: 'COIN', decimals: 2, balance: 1n, usd: '1' },
      { token: '0xbad', name: 'Visit us', symbol: 'СОІN', decimals: 2, balance: 1n },
      { token: '0xworse', name: 'c o ï n', symbol: 'X', decimals: 2, balance: 1n },
      { token: '0xether', name: 'Free', symbol: 'eth', decimals: 2, balance: 1n },
      { token: loaf, name: 'Loaf', symbol: 'LOAF', decimals: 2, balance: 1n },
    ]
    const native = { balance: 5n, symbol: 'ETH', decimals: 18 }
    const given = { address: me, chains: [{ chain: 1, name: 'One', native, tokens }] } as unknown as Portfolio
    const { holdings } = gatherHoldings([given])
    expect(holdings.filter(({ isNamesake }) => isNamesake).map(({ token }) => token)).toEqual([
      '0xworse',
      '0xether',
      '0xbad',
    ])
  })

  test('a contract is its owner’s on its own chain alone', () => {
    const found = [{ address: me, chains: [{ chain: 1 }, { chain: 8453 }] }] as unknown as Portfolio[]
    const chainsOf = (...wallets: object[]) =>
      keepOwnChains(found, wallets as Wallet[]).flatMap(({ chains }) => chains.map(({ chain }) => chain))
    expect(chainsOf({ address: '0xA', kind: 'contract', chainId: '8453' })).toEqual([8453])
    expect(chainsOf({ address: '0xA', kind: 'eoa' })).toEqual([1, 8453])
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

  test('a batch that moves the same collectible twice is two transfers, in the lists of both wallets', () => {
    const piece = { ...transfer(8, me, other, 1n), kind: 'erc1155' as const, tokenId: '7' }
    const rows = [piece, { ...piece, amount: 2n }]
    const merged = mergeTransfers([
      { chain: 1, rows, hasMore: false },
      { chain: 1, rows: rows.map((row) => ({ ...row })), hasMore: false },
    ])
    expect(merged.rows.map(({ amount }) => amount)).toEqual([1n, 2n])
  })

  test('addresses that look alike once they are short are known', () => {
    // The checksum of a forged address writes the same ends in other letters.
    const [bob, forged, carol] = ['0xabcd1111111111ef01', '0xAbCd2222222222Ef01', '0xabcd3333333333ef02'] as const
    const { rows } = mergeTransfers([
      {
        chain: 1,
        rows: [transfer(9, me, bob, 5n), transfer(8, me, forged, 0n), transfer(7, me, carol, 5n)],
        hasMore: false,
      },
    ])
    expect([...findLookalikes(rows, new Set([me]))].sort()).toEqual([bob, forged].sort())
    expect(findLookalikes(rows, new Set([`${bob.slice(0, 9)}99${bob.slice(-7)}`])).size).toBe(3)
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
  // A token may report more than there ever was.
  const forged = mergeTransfers([{ chain: 1, rows: [transfer(4, '0xc', me, 5_000n)], hasMore: false }])
  expect(traceValue(holdings, forged.rows, new Set([me]), now).map(({ value }) => formatUsd(value))[0]).toBe('$0.00')
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

test('a line of values begins with the first receipt, not with weeks of nothing', () => {
  const points = [0n, 0n, 5n, 0n, 7n].map((value, time) => ({ time, value }))
  expect(skipEmpty(points).map(({ time }) => time)).toEqual([2, 3, 4])
  expect(skipEmpty(points.slice(2))).toHaveLength(3)
  const empty = points.slice(0, 2)
  expect(skipEmpty(empty)).toBe(empty)
})
