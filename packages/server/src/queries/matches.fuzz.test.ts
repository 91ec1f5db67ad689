import {
  CountersignError,
  type DocumentCondition,
  matchDocument,
  readDocumentWhere,
  type WireFields,
  type WireWhere,
} from '@countersign/protocol'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columnNames, decodeRow } from '../classes/decodeRow.ts'
import { compile, sql } from '../db/sql.ts'
import { anyObject } from '../testing/objects/fuzzValues.ts'
import { anyWhere } from '../testing/objects/fuzzWheres.ts'
import { serveTests } from '../testing/serveTests.ts'
import { type Condition, isMatchable } from './Condition.ts'
import { matches } from './matches.ts'
import type { QueryScope } from './QueryParser.ts'
import { readWhere } from './readWhere.ts'
import { writeWhere } from './writeWhere.ts'

/** Another run: FUZZ_SEED=2 FUZZ_RUNS=100000 npx vitest run --project server-postgres fuzz */
const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 10_000)
const together = 50

let schema: ClassSchema
let objects: WireFields[]
let scope: QueryScope

const server = serveTests()
beforeAll(async () => {
  const { classes, config, db } = server.context
  // One object that has everything, so that every field exists; the others at random.
  const whole = {
    s: 'a',
    n: 1,
    b: true,
    o: {},
    l: [],
    d: { __type: 'Date', iso: '2020-02-29T12:00:00.000Z' },
    p: { __type: 'Pointer', className: 'Other', objectId: 'id1' },
    g: { __type: 'GeoPoint', latitude: 0, longitude: 0 },
    q: {
      __type: 'Polygon',
      coordinates: [
        [0, 0],
        [0, 10],
        [10, 10],
      ],
    },
    f: { __type: 'File', name: 'one.txt' },
    y: { __type: 'Bytes', base64: 'AQI=' },
  }
  const made = [whole, ...fc.sample(anyObject, { numRuns: 60, seed })]
  for (let index = 0; index < made.length; index += 50) {
    const requests = made
      .slice(index, index + 50)
      .map((body) => ({ method: 'POST', path: '/server/classes/Fuzz', body }))
    const { status, text } = await server.call('POST', '/batch', { requests, transaction: true }, { master: true })
    if (status !== 200) throw new Error(text)
  }
  schema = classes.get('Fuzz')
  const columns = columnNames(schema).map((name) => sql.id(name))
  const rows = await db.query(sql`select ${sql.join(columns)} from ${sql.table('Fuzz')}`)
  objects = rows.map((row) => decodeRow(schema, row as Parameters<typeof decodeRow>[1]))
  scope = { classes, config, access: { isMaster: true, entities: ['*'] }, now: new Date('2024-01-01T00:00:00.000Z') }
})

type Case = { where: WireWhere; condition: Condition }

/** Documents that the database finds for each condition; `undefined` if it rejects a value. */
async function ask(cases: Case[]): Promise<(Set<string> | undefined)[]> {
  const writer = { access: scope.access, aliases: 0, isSpread: schema.distributed ?? false }
  const tests = cases.map(({ condition }) => sql`(${writeWhere(writer, condition, sql`t`)}) is true`)
  const statement = sql`select t."objectId" as id, array[${sql.join(tests)}] as found from ${sql.table('Fuzz')} t`
  try {
    const rows = await server.context.db.query<{ id: string; found: boolean[] }>(statement)
    return cases.map((_, index) => new Set(rows.filter((row) => row.found[index]).map((row) => row.id)))
  } catch (error) {
    const { code } = error as { code?: string }
    if (cases.length > 1) return (await Promise.all(cases.map((one) => ask([one])))).flat()
    // Class 22: a value that PostgreSQL cannot store, reported to the caller as 107.
    if (/^22/.test(code ?? '')) return [undefined]
    throw new Error(`${JSON.stringify(cases[0]?.where)}: ${String(error)}\n${compile(statement).text}`)
  }
}

test(`${runs} random wheres: SQL and memory find the same objects, and nothing but refusals is thrown`, async () => {
  const cases: Case[] = []
  let refused = 0
  for (const where of fc.sample(anyWhere, { numRuns: runs, seed })) {
    try {
      cases.push({ where, condition: readWhere(scope, schema, where) })
    } catch (error) {
      if (!(error instanceof CountersignError)) throw new Error(`${JSON.stringify(where)}: ${(error as Error).stack}`)
      expect(error.status).toBeLessThan(500)
      refused++
    }
  }
  let hits = 0
  let onDevices = 0
  const typeOf = (field: string) => {
    if (field === 'objectId') return { type: 'String' }
    return field === 'createdAt' || field === 'updatedAt' ? { type: 'Date' } : schema.fields.get(field)
  }
  const isLocal = (condition: DocumentCondition, object: WireFields) => matchDocument(condition, object, () => false)
  const differences: string[] = []
  const matchable = cases.filter(({ condition }) => isMatchable(condition))
  for (let index = 0; index < matchable.length; index += together) {
    const some = matchable.slice(index, index + together)
    const found = await ask(some)
    for (const [position, { where, condition }] of some.entries()) {
      const ids = found[position]
      if (!ids) continue
      hits += ids.size
      const different = objects.find((object) => matches(condition, object) !== ids.has(object.objectId as string))
      const local = readDocumentWhere(where, typeOf)
      if (local) onDevices++
      const otherwise = local && objects.find((object) => isLocal(local, object) !== ids.has(object.objectId as string))
      if (otherwise) differences.push(`${JSON.stringify(where)} differs on a device: ${JSON.stringify(otherwise)}`)
      if (different) {
        const inMemory = matches(condition, different)
        differences.push(
          `${JSON.stringify(where)} ${inMemory ? 'in memory alone' : 'in SQL alone'}: ${JSON.stringify(different)}`,
        )
      }
    }
  }
  expect(differences.slice(0, 10)).toEqual([])
  expect(onDevices).toBeGreaterThan(runs * 0.05)
  // The run is worth something only while most questions are understood and many find something.
  expect(refused).toBeLessThan(runs * 0.6)
  expect(matchable.length).toBeGreaterThan(runs * 0.4)
  expect(hits).toBeGreaterThan(runs)
})
