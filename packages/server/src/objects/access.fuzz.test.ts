import { type ClassPermissions, CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columnNames, decodeRow } from '../classes/decodeRow.ts'
import { sql } from '../db/sql.ts'
import type { Decision } from '../permissions/Decision.ts'
import { decide } from '../permissions/decide.ts'
import { mayAccess } from '../permissions/mayAccess.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Access } from '../roles/accessOf.ts'
import { serveTests } from '../testing/serveTests.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 1_500)
const together = 100

const users = ['user1', 'user2', 'toString']
const roles = ['role:Admin', 'role:Team A', 'role:__proto__']
const entity = fc.constantFrom('*', ...users, ...roles)
const right = fc.constantFrom(
  { read: true },
  { write: true },
  { read: true, write: true },
  {},
  { read: false, write: true },
)
const acl = fc.dictionary(entity, right as fc.Arbitrary<object>, { maxKeys: 3, noNullPrototype: true })
const pointer = fc
  .constantFrom(...users)
  .map((objectId): WireValue => ({ __type: 'Pointer', className: '_User', objectId }))
const foreign = fc
  .constantFrom(...users)
  .map((objectId): WireValue => ({ __type: 'Pointer', className: 'Other', objectId }))
const object = fc.record(
  {
    ACL: acl as fc.Arbitrary<WireValue>,
    owner: fc.oneof(pointer, fc.constant(null)),
    editors: fc.array(fc.oneof(pointer, foreign, fc.constantFrom<WireValue>('user1', null, 1, ['user1'])), {
      maxLength: 3,
    }),
    thing: foreign,
  },
  { requiredKeys: [] },
)

const access = fc
  .tuple(fc.constantFrom(undefined, ...users), fc.subarray(roles), fc.constantFrom(false, false, false, true))
  .map(
    ([userId, held, isMaster]): Access =>
      userId === undefined ? { isMaster, entities: ['*'] } : { isMaster, userId, entities: ['*', userId, ...held] },
  )
const fields = fc.subarray(['owner', 'editors', 'thing', 'missing'])
const rights = fc
  .tuple(
    fc.dictionary(fc.constantFrom('*', 'requiresAuthentication', ...users, ...roles), fc.constant(true as const), {
      maxKeys: 2,
    }),
    fc.option(fields, { nil: undefined }),
  )
  .map(([entities, pointerFields]) => ({ ...entities, ...(pointerFields && { pointerFields }) }))
const permissions = fc.option(
  fc.record(
    { find: rights, get: rights, update: rights, delete: rights, readUserFields: fields, writeUserFields: fields },
    { requiredKeys: [] },
  ),
  { nil: undefined },
) as fc.Arbitrary<ClassPermissions | undefined>
const operation = fc.constantFrom(
  ['find', 'read'] as const,
  ['get', 'read'] as const,
  ['update', 'write'] as const,
  ['delete', 'write'] as const,
)

let schema: ClassSchema
let objects: WireFields[]
const server = serveTests()
beforeAll(async () => {
  const whole = {
    owner: { __type: 'Pointer', className: '_User', objectId: 'user1' },
    editors: [],
    thing: { __type: 'Pointer', className: 'Other', objectId: 'user1' },
  }
  const made = [whole, ...fc.sample(object, { numRuns: 80, seed })]
  for (let index = 0; index < made.length; index += 50) {
    const requests = made
      .slice(index, index + 50)
      .map((body) => ({ method: 'POST', path: '/server/classes/Guarded', body }))
    const { status, text } = await server.call('POST', '/batch', { requests, transaction: true }, { master: true })
    if (status !== 200) throw new Error(text)
  }
  schema = server.context.classes.get('Guarded')
  const rows = await server.context.db.query(
    sql`select ${sql.join(columnNames(schema).map((name) => sql.id(name)))} from ${sql.table('Guarded')}`,
  )
  objects = rows.map((row) => decodeRow(schema, row as Parameters<typeof decodeRow>[1]))
})

type Case = { guarded: ClassSchema; caller: Access; decision: Decision; right: 'read' | 'write' }

test(`${runs} random callers and permissions: SQL and memory let the same objects through`, {
  timeout: 60_000,
}, async () => {
  const cases: Case[] = []
  let refused = 0
  for (const [caller, given, [name, right]] of fc.sample(fc.tuple(access, permissions, operation), {
    numRuns: runs,
    seed,
  })) {
    const { permissions: _own, ...rest } = schema
    const guarded: ClassSchema = given ? { ...rest, permissions: given } : rest
    try {
      cases.push({ guarded, caller, decision: decide(guarded, caller, name), right })
    } catch (error) {
      expect(error).toBeInstanceOf(CountersignError)
      expect([101, 119]).toContain((error as CountersignError).code)
      refused++
    }
  }
  const differences: string[] = []
  let [open, closed] = [0, 0]
  for (let index = 0; index < cases.length; index += together) {
    const some = cases.slice(index, index + together)
    const filters = some.map(
      ({ guarded, caller, decision, right }) =>
        sql`(${writeRowFilter(guarded, caller, decision, right, sql`t`) ?? sql`true`}) is true`,
    )
    const rows = await server.context.db.query<{ id: string; found: boolean[] }>(
      sql`select t."objectId" as id, array[${sql.join(filters)}] as found from ${sql.table('Guarded')} t`,
    )
    const byId = new Map(rows.map((row) => [row.id, row.found]))
    for (const [position, { guarded, caller, decision, right }] of some.entries()) {
      for (const one of objects) {
        const inMemory = mayAccess(guarded, caller, decision, right, one)
        if (inMemory) open++
        else closed++
        if (byId.get(one.objectId as string)?.[position] !== inMemory) {
          differences.push(
            `${inMemory ? 'memory' : 'SQL'} alone lets through: ${JSON.stringify({ caller, decision, right, one })}`,
          )
        }
      }
    }
  }
  expect(differences.slice(0, 5)).toEqual([])
  expect(refused).toBeLessThan(runs * 0.7)
  expect(Math.min(open, closed)).toBeGreaterThan(runs)
})
