import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createTraffic, type Traffic } from '../../testing/chain/createTraffic.ts'
import { listIndexed } from '../../testing/chain/indexing/listIndexed.ts'
import { listTransfers as tell } from '../../testing/chain/indexing/listTransfers.ts'
import { type Indexing, startIndexing } from '../../testing/chain/indexing/startIndexing.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { server } from '../events/writeEvents.ts'
import { listIndexStatus } from './listIndexStatus.ts'
import { findCoverage } from './queries/findCoverage.ts'
import { listCollections, listHoldings, listTokenIds, listTouchedTokens } from './queries/listHoldings.ts'
import { listTransactions } from './queries/listTransactions.ts'
import { listTransfers } from './queries/listTransfers.ts'

let chain: Chain
let traffic: Traffic
let indexing: Indexing

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 10
  traffic = await createTraffic(chain, 7)
  await traffic.send(120)
})

afterEach(() => indexing.stop())
afterAll(() => chain.stop())

const patience = { timeout: 60_000 }
const indexed = () => listIndexed(indexing.context.db, chain.chainId)
const transfersOf = async (...named: string[]) =>
  (await tell(chain)).filter((line) => named.some((name) => line.includes(name)))
const caughtUp = () =>
  expect.poll(async () => (await listIndexStatus(indexing.context))[0]?.status, patience).toBe('SYNCED')

/** As a person does who links a wallet. */
const link = async (address: string, name: string) => {
  const { db } = indexing.context
  await db.query(sql`
    insert into "_User" ("objectId", "createdAt", "updatedAt", "username", "_username_key")
    values (${name}, now(), now(), ${name}, ${name})`)
  await db.query(sql`
    insert into countersign.wallets (key, "objectId", "user", namespace, kind, address, linked, last_used)
    values (${`eip155:${address}`}, ${name}, ${name}, 'eip155', 'eoa', ${address}, now(), now())`)
}

test('R27: only contracts that the operator names', async () => {
  const { pictures, badges } = traffic
  indexing = await startIndexing(chain, { mode: 'contracts', contracts: [pictures, badges] })
  await expect.poll(indexed, patience).toEqual(await transfersOf(` ${pictures} `, ` ${badges} `))
  await traffic.send(15)
  await expect.poll(indexed, patience).toEqual(await transfersOf(` ${pictures} `, ` ${badges} `))
})

test('R27: only addresses that the operator names; then users, as they link wallets, from the first block on', async () => {
  const [first, second, third] = traffic.people as [string, string, string]
  indexing = await startIndexing(chain, { mode: 'users', addresses: [first] })
  const { context } = indexing
  await expect.poll(indexed, patience).toEqual(await transfersOf(` ${first} `))
  expect(await findCoverage(context, server, chain.chainId, second, 'address')).toMatchObject({ followed: false })

  await link(second, 'second')
  await expect.poll(indexed, patience).toEqual(await transfersOf(` ${first} `, ` ${second} `))
  await caughtUp()
  expect(await findCoverage(context, server, chain.chainId, second, 'address')).toMatchObject({
    followed: true,
    status: 'SYNCED',
    start: 0,
  })

  await traffic.send(15)
  await link(third, 'third')
  await expect.poll(indexed, patience).toEqual(await transfersOf(` ${first} `, ` ${second} `, ` ${third} `))
  // Rows of an unlinked wallet stay.
  await context.db.query(sql`delete from countersign.wallets where "user" = 'third'`)
  await expect
    .poll(async () => (await findCoverage(context, server, chain.chainId, third, 'address'))?.followed, patience)
    .toBe(false)
  const before = await transfersOf(` ${first} `, ` ${second} `, ` ${third} `)
  await traffic.send(10)
  const after = await transfersOf(` ${first} `, ` ${second} `)
  await expect.poll(indexed, patience).toEqual([...new Set([...before, ...after])].sort())
})

test('a contract account is followed on its own chain alone', async () => {
  const [here, elsewhere] = traffic.people.slice(3) as [string, string]
  indexing = await startIndexing(chain, { mode: 'users' })
  const { context } = indexing
  await link(here, 'here')
  await link(elsewhere, 'elsewhere')
  await context.db.query(sql`
    update countersign.wallets set kind = 'contract',
      chain_id = case when address = ${here} then ${String(chain.chainId)} else '1' end`)
  const isFollowed = async (address: string) =>
    (await findCoverage(context, server, chain.chainId, address, 'address'))?.followed
  await expect.poll(() => isFollowed(elsewhere), patience).toBe(false)
  await expect.poll(() => isFollowed(here), patience).toBe(true)
})

test('pages: stable while the chain moves, each row once, in the order of the chain', async () => {
  indexing = await startIndexing(chain, { mode: 'all' })
  await expect.poll(async () => (await indexed()).length, patience).toBe((await tell(chain)).length)
  const { context } = indexing
  const [address = ''] = traffic.people
  const query = { chain: chain.chainId, kinds: ['erc20', 'erc721', 'erc1155'] as const, address }
  const whole = await listTransfers(context, { ...query, limit: 1_000, count: true })
  expect(whole.cursor).toBeUndefined()
  expect(whole.rows.length).toBe((await transfersOf(` ${address} `)).length)
  expect(whole.total).toBe(whole.rows.length)

  const seen: string[] = []
  let cursor: string | undefined
  for (let page = 0; page === 0 || cursor; page++) {
    const answer = await listTransfers(context, { ...query, limit: 7, cursor })
    expect(answer.page).toBe(page)
    seen.push(...answer.rows.map(({ objectId }) => objectId))
    cursor = answer.cursor
    // New blocks come and old ones go: the place stays.
    if (page === 0) await traffic.send(5)
    if (page === 1) await chain.reorg(4, () => traffic.send(2))
  }
  expect(seen).toEqual(whole.rows.map(({ objectId }) => objectId))
  const turned = await listTransfers(context, { ...query, limit: 1_000, order: 'asc', toBlock: whole.rows[0]?.block })
  expect(turned.rows.map(({ objectId }) => objectId)).toEqual(seen.toReversed())
  const side = async (direction: 'from' | 'to') =>
    (await listTransfers(context, { ...query, direction, limit: 1_000 })).rows
  expect((await side('from')).every(({ from }) => from === address)).toBe(true)
  expect((await side('to')).every(({ to }) => to === address)).toBe(true)
  await expect(listTransfers(context, { ...query, limit: 5, cursor: 'bm9uc2Vuc2U' })).rejects.toThrow(/cursor/)
})

test('lists holdings of an owner, holders of a token, and ids', async () => {
  indexing = await startIndexing(chain, { mode: 'all' })
  await expect.poll(async () => (await indexed()).length, patience).toBe((await tell(chain)).length)
  const { context } = indexing
  const { chainId } = chain
  const everyone = await Promise.all(
    traffic.people.map((owner) => listHoldings(context, { chain: chainId, owner, limit: 100, count: true })),
  )
  const rows = everyone.flatMap(({ rows }) => rows)
  expect(rows.length).toBeGreaterThan(10)
  expect(everyone.every(({ rows, total }) => rows.length === total)).toBe(true)
  expect(rows.every(({ minted, block }) => minted !== null && minted <= block)).toBe(true)

  const ofPictures = rows.filter(({ token }) => token === traffic.pictures)
  const owners: string[] = []
  let cursor: string | undefined
  do {
    const page = await listHoldings(context, { chain: chainId, tokens: [traffic.pictures], limit: 3, cursor })
    owners.push(...page.rows.map(({ tokenId, owner }) => `${tokenId} ${owner}`))
    cursor = page.cursor
  } while (cursor)
  expect(owners.toSorted()).toEqual(ofPictures.map(({ tokenId, owner }) => `${tokenId} ${owner}`).sort())
  const ids = await listTokenIds(context, { chain: chainId, token: traffic.badges, limit: 10, count: true })
  expect(ids).toMatchObject({ total: 4, rows: ['0', '1', '2', '3'].map((tokenId) => ({ tokenId, kind: 'erc1155' })) })
  const [owner = ''] = traffic.people
  expect(await listTouchedTokens(context, chainId, owner, 10)).toEqual([traffic.token])
  const collections = await listCollections(context, { chain: chainId, owner, limit: 10, count: true })
  expect(collections.rows.map(({ token }) => token)).toEqual([traffic.pictures, traffic.badges].sort())
})

test('R27: transactions of addresses that are followed, from whole blocks, undone with their blocks', async () => {
  const [first = '', second = ''] = traffic.people
  indexing = await startIndexing(chain, { mode: 'users', addresses: [first], transactions: true })
  const { context } = indexing
  const sent = async (address: string) => {
    const found: string[] = []
    const head = Number(await chain.request('eth_blockNumber'))
    for (let number = head; number >= 0; number--) {
      type Block = { transactions: { hash: string; from: string; to: string | null }[] }
      const block = (await chain.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])) as Block
      for (const { hash, from, to } of block.transactions) if (from === address || to === address) found.push(hash)
    }
    return found
  }
  const kept = async (address: string) =>
    (await listTransactions(context, { chain: chain.chainId, address, limit: 1_000 })).rows.map(({ hash }) => hash)
  await expect.poll(() => kept(first), patience).toEqual(await sent(first))
  await link(second, 'sender')
  await expect.poll(() => kept(second), patience).toEqual(await sent(second))
  await traffic.send(10)
  await chain.reorg(5, () => traffic.send(6))
  await expect
    .poll(async () => [...(await kept(first)), ...(await kept(second))], patience)
    .toEqual([...(await sent(first)), ...(await sent(second))])
  const page = await listTransactions(context, { chain: chain.chainId, address: first, limit: 2, count: true })
  expect(page.rows[0]).toMatchObject({ status: 1, from: first, gasUsed: expect.stringMatching(/^\d+$/) })
  const next = await listTransactions(context, { chain: chain.chainId, address: first, limit: 2, cursor: page.cursor })
  expect([...page.rows, ...next.rows].map(({ hash }) => hash)).toEqual((await sent(first)).slice(0, 4))
  expect(page.total).toBe((await sent(first)).length)
  expect(await findCoverage(context, server, chain.chainId, first, 'transactions')).toMatchObject({ status: 'SYNCED' })
})

test('a class of that name which the application made is not touched', async () => {
  indexing = await startIndexing(chain, { mode: 'off' })
  const { context } = indexing
  await context.classes.widen('Transfer', new Map([['mine', { type: 'String' as const }]]), { create: true })
  const shared = { db: context.db, databaseUrl: undefined, close: async () => {} }
  await expect(startIndexing(chain, { mode: 'all' }, { shared })).rejects.toThrow(/indexer\.transferClass/)
  const other = await startIndexing(chain, { mode: 'all' }, { shared, indexer: { transferClass: 'Moved' } })
  await other.stop()
  expect(context.classes.get('Transfer').fields.has('amount')).toBe(false)
})
