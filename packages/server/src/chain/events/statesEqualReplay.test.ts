import type { StateRecord, WireFields } from '@countersign/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StateStore } from '../../context/Registry.ts'
import { sql } from '../../db/sql.ts'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, listLogs, type Market, person } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

const patience = { timeout: 60_000 }
const master = { master: true }
const seed = Number(process.env.FUZZ_SEED ?? 59)
const runs = Number(process.env.FUZZ_RUNS ?? 8)

let chain: Chain
let market: Market
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  chain.finality = 30
  market = await createMarket(chain)
  const contracts = [market.address]
  server = await createTestServer({
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'off', pollInterval: 50, maxRange: 9 },
        events: [
          {
            class: 'Listed',
            event: 'event Listed(uint256 indexed id, address indexed seller, uint256 price, uint32 expires)',
            contracts,
          },
        ],
      },
    ],
  })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const headOf = async () => Number(await chain.request('eth_blockNumber', []))

const readState = async (name: string) => {
  const { body } = await server.call('GET', '/states', undefined, master)
  return (body.results as StateRecord[]).find((state) => state.name === name)
}

const isSynced = async (name: string) =>
  expect.poll(() => readState(name), patience).toMatchObject({ status: 'SYNCED', block: await headOf() })

const replay = async (name: string) => {
  expect((await server.call('POST', `/states/${name}/replay`, {}, master)).status).toBe(200)
  await isSynced(name)
}

/** Whole documents, without the columns that other rows made. */
const readDocuments = async (className: string) => {
  const rows = await server.context.db.query<{ row: WireFields }>(
    sql`select jsonb_strip_nulls(to_jsonb(t)) as row from ${sql.table(className)} t order by "objectId" collate "C"`,
  )
  return rows.map(({ row }) => row)
}

test('SEC-59: a state that is first worked out over open blocks keeps what the first of them wrote', async () => {
  await market.send('list', 1n, person(1), 1_000n, 0)
  await market.send('list', 2n, person(1), 1n, 0)
  server.context.registry.states.set('sums', {
    events: ['Listed'],
    classes: ['Sum'],
    version: 1,
    async run({ object }, store) {
      const known = await store.get('Sum', 'all')
      await store.put('Sum', 'all', { total: Number(known?.total ?? 0) + Number(object.price) })
    },
  })
  await isSynced('sums')
  expect(await readDocuments('Sum')).toMatchObject([{ total: 1_001 }])
  server.context.registry.states.delete('sums')
})

test('SEC-59: a state sees the fields that a hook gave an event in the same block', async () => {
  const { hooks, states } = server.context.registry
  states.set('labels', {
    events: ['Listed'],
    classes: ['Label'],
    version: 1,
    async run({ object }, store) {
      await store.put('Label', String(object.uid), { label: object.label ?? 'none' })
    },
  })
  await isSynced('labels')
  hooks.set('beforeSave Listed', [async () => ({ object: { label: 'by the hook' } })])
  await market.send('list', 3n, person(1), 5n, 0)
  await isSynced('labels')
  hooks.delete('beforeSave Listed')
  const before = await readDocuments('Label')
  expect(before.find(({ objectId }) => objectId === '3')).toMatchObject({ label: 'by the hook' })
  await replay('labels')
  expect(await readDocuments('Label')).toEqual(before)
  states.delete('labels')
})

/** A running count for each seller, under a field that the event chooses; some documents are removed and made again. */
const handle =
  (className: string) =>
  async ({ object }: { object: WireFields }, store: StateStore) => {
    const [price, kind] = [Number(object.price), Number(object.expires)]
    const id = String(object.seller)
    if (kind % 5 === 4) return store.delete(className, id)
    const known = await store.get(className, id)
    const field = `field${kind % 7}`
    const trail = [...((known?.trail as number[] | undefined) ?? []), price].slice(-4)
    await store.put(className, id, {
      ...known,
      [field]: Number(known?.[field] ?? 0) + price,
      ...(kind % 3 === 0 && { [`text${kind % 4}`]: kind % 2 === 0 ? null : `at ${price}` }),
      trail,
    })
  }

/** The same from the node's own logs, in memory. */
async function expectedDocuments(className: string): Promise<WireFields[]> {
  const documents = new Map<string, WireFields>()
  const store: StateStore = {
    get: async (_class, id) => structuredClone(documents.get(id)),
    put: async (_class, id, fields) => void documents.set(id, { ...documents.get(id), ...fields }),
    delete: async (_class, id) => void documents.delete(id),
  }
  const lines = (await listLogs(chain, [market.address], 'Listed')).map((line) => line.split(' '))
  lines.sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
  for (const [, , , , , , seller = '', price = '', expires = ''] of lines) {
    await handle(className)({ object: { seller, price, expires: Number(expires) } }, store)
  }
  return [...documents]
    .map(([objectId, fields]) => ({ objectId, ...withoutNulls(fields) }))
    .sort((a, b) => (a.objectId < b.objectId ? -1 : 1))
}

const withoutNulls = (fields: WireFields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

type Step =
  | { kind: 'block'; events: { seller: number; price: number; field: number }[] }
  | { kind: 'outage'; steps: number }
  | { kind: 'reorg'; depth: number; events: { seller: number; price: number; field: number }[] }
  | { kind: 'wait' }
  | { kind: 'replay' }
  | { kind: 'start' }

const event = fc.record({ seller: fc.nat(2), price: fc.nat(1_000), field: fc.nat(30) })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('block' as const), events: fc.array(event, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('outage' as const), steps: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 6 }),
      events: fc.array(event, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'wait' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'replay' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'start' as const }) },
)

/** Events of one block, sent while the chain mines nothing. */
async function mineBlock(events: readonly { seller: number; price: number; field: number }[]): Promise<void> {
  await chain.request('evm_setAutomine', [false])
  for (const { seller, price, field } of events) await market.send('list', 9n, person(seller), BigInt(price), field)
  await chain.request('evm_setAutomine', [true])
  await chain.mine(1)
}

test('SEC-59: a state equals its replay after any cuts of blocks, outages, reorganisations and new fields', async () => {
  let count = 0
  const play = async (steps: Step[]) => {
    const className = `Tally${++count}`
    const name = `tally${count}`
    const { states } = server.context.registry
    const start = () =>
      states.set(name, { events: ['Listed'], classes: [className], version: 1, run: handle(className) })
    let down = 0
    for (const each of steps) {
      if (down > 0 && --down === 0) chain.faults.down = false
      if (each.kind === 'block') await mineBlock(each.events)
      if (each.kind === 'outage') [down, chain.faults.down] = [each.steps, true]
      if (each.kind === 'reorg') await chain.reorg(each.depth, () => mineBlock(each.events))
      if (each.kind === 'start' && !states.has(name)) start()
      if (each.kind === 'wait' && down === 0 && states.has(name)) await isSynced(name)
      if (each.kind === 'replay' && (await readState(name))) {
        await server.call('POST', `/states/${name}/replay`, {}, master)
      }
    }
    chain.faults.down = false
    if (!states.has(name)) start()
    await isSynced(name)
    const kept = await readDocuments(className)
    expect(kept.map(({ createdAt: _made, updatedAt: _changed, _nulls, ...fields }) => fields)).toEqual(
      await expectedDocuments(className),
    )
    await replay(name)
    expect(await readDocuments(className)).toEqual(kept)
    states.delete(name)
  }
  const cases = fc.array(step, { minLength: 6, maxLength: 24 })
  await fc.assert(fc.asyncProperty(cases, play), { seed, numRuns: runs, endOnFailure: true })
})
