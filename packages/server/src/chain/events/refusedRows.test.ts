import { randomBytes } from 'node:crypto'
import type { StateRecord, SyncRecord } from '@countersign/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, type Market } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let chain: Chain
let market: Market
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  market = await createMarket(chain)
  await note(1, 'early')
  const event = 'event Noted(uint256 indexed id, string text, bytes raw, bool open, int128 delta)'
  const contracts = [market.address]
  const index = { mode: 'off' as const, pollInterval: 50 }
  server = await createTestServer({
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index,
        events: [
          { class: 'Sorted', event, contracts },
          { class: 'Single', event, contracts },
          { class: 'Hooked', event, contracts },
          { class: 'Plain', event, contracts },
        ],
      },
    ],
  })
  server.context.registry.hooks.set('beforeSave Hooked', [async () => undefined])
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const note = (id: number, text: string) => market.send('note', BigInt(id), text, '0x', true, 1n)

const listIds = async (className: string) => {
  const { body } = await server.call('GET', `/classes/${className}?order=block,logIndex`, undefined, { master: true })
  return (body.results as { uid: string }[]).map(({ uid }) => uid)
}

test('SEC-32: an event that an index of its class refuses is left out, and holds up no other', async () => {
  const patience = { timeout: 60_000 }
  for (const name of ['Sorted', 'Single', 'Hooked']) {
    await expect.poll(() => listIds(name), patience).toEqual(['1'])
    const unique = name === 'Single' && { unique: true }
    const made = await server.call(
      'PUT',
      `/schemas/${name}`,
      { className: name, indexes: { byText: { text: 1, ...unique } } },
      { master: true },
    )
    expect(made.status, made.text).toBe(200)
  }
  const long = randomBytes(6_000).toString('base64')
  const texts = ['plain', long, 'plain', 'late']
  for (const [index, text] of texts.entries()) await note(index + 2, text)
  await expect.poll(() => listIds('Sorted'), patience).toEqual(['1', '2', '4', '5'])
  await expect.poll(() => listIds('Hooked'), patience).toEqual(['1', '2', '4', '5'])
  await expect.poll(async () => (await listIds('Single')).at(-1), patience).toBe('5')
  expect(server.logs.some((line) => line.includes('event skipped'))).toBe(true)
})

const master = { master: true }
const patience = { timeout: 60_000 }
const list = async <Record>(path: string) =>
  (await server.call('GET', path, undefined, master)).body.results as Record[]

test('SEC-63: a sync says how many events it left out', async () => {
  const [sorted] = (await list<SyncRecord>('/syncs')).filter((sync) => sync.class === 'Sorted')
  expect(sorted?.leftOut).toBe(1)
})

test('SEC-63: an event whose values the server refuses is left out of a state, counted, and stops nothing', async () => {
  const indexes = { byText: { text: 1 } }
  await server.call('POST', '/schemas/Indexed', { fields: { text: { type: 'String' } }, indexes }, master)
  server.context.registry.states.set('memos', {
    events: ['Plain'],
    classes: ['Memo', 'Indexed'],
    version: 1,
    async run({ object }, store) {
      const text = String(object.text)
      // Earlier writes of the event are rolled back, too.
      await store.put('Memo', 'last', { uid: String(object.uid) })
      if (text.startsWith('id ')) await store.put('Memo', text.slice(3), { text: text.slice(3) })
      else await store.put('Indexed', String(object.uid), { text })
    },
  })
  const long = randomBytes(6_000).toString('base64')
  const texts = ['id good', 'id not an id/', 'short', long, 'id ', 'id fine', 'at last']
  for (const [index, text] of texts.entries()) await note(100 + index, text)
  const read = async () => (await list<StateRecord>('/states')).find(({ name }) => name === 'memos')
  const head = Number(await chain.request('eth_blockNumber', []))
  await expect.poll(read, patience).toMatchObject({ status: 'SYNCED', block: head })
  const kept = async () => ({
    memos: (await list<{ objectId: string; uid?: string }>('/classes/Memo?order=objectId')).map(({ objectId, uid }) => [
      objectId,
      uid,
    ]),
    texts: (await list<{ text: string }>('/classes/Indexed?order=createdAt')).map(({ text }) => text.length),
  })
  const before = await kept()
  expect(before.memos).toEqual([
    ['fine', undefined],
    ['good', undefined],
    ['last', '106'],
  ])
  expect(before.texts).not.toContain(long.length)
  const { leftOut } = (await read()) ?? {}
  // One in the test before is too long, too.
  expect(leftOut).toBe(4)
  await server.call('POST', '/states/memos/replay', {}, master)
  await expect.poll(read, patience).toMatchObject({ status: 'SYNCED', block: head, leftOut: 4 })
  expect(await kept()).toEqual(before)
  server.context.registry.states.delete('memos')
})

test('SEC-64: a row has a maximum size, with any event', async () => {
  const long = 'wörd '.repeat(6_000)
  await market.send('note', 200n, long, `0x${'ab'.repeat(40_000)}`, true, 7n)
  const find = async () =>
    (await list<Record<string, string>>(`/classes/Plain?where=${encodeURIComponent('{"uid":"200"}')}`))[0]
  await expect.poll(find, patience).toBeDefined()
  const row = (await find()) ?? {}
  expect(JSON.stringify(row).length).toBeLessThan(40_000)
  expect(long.startsWith(String(row.text))).toBe(true)
  expect(row.raw).toMatch(/^0x(ab)+$/)
  expect(row).toMatchObject({ delta: '7', open: true })
  // Values that fit are stored whole.
  await market.send('note', 201n, 'whole', `0x${'cd'.repeat(9_000)}`, true, 7n)
  const other = () => list<Record<string, string>>(`/classes/Plain?where=${encodeURIComponent('{"uid":"201"}')}`)
  await expect.poll(async () => (await other())[0]?.raw?.length, patience).toBe(18_002)
})
