import type { ClassPermissions, WireFields } from '@countersign/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Config } from '../config/Config.ts'
import { readConfig } from '../config/readConfig.ts'
import { sql } from '../db/sql.ts'
import type { Access } from '../roles/accessOf.ts'
import { serveTests } from '../testing/serveTests.ts'
import type { Decision } from './Decision.ts'
import { decide } from './decide.ts'
import { hiddenFields, stripHidden } from './hiddenFields.ts'
import { mayAccess } from './mayAccess.ts'
import { writeRowFilter } from './writeRowFilter.ts'

const guest: Access = { isMaster: false, entities: ['*'] }
const ann: Access = { isMaster: false, userId: 'ann', entities: ['*', 'ann', 'role:crew'] }
const bob: Access = { isMaster: false, userId: 'bob', entities: ['*', 'bob'] }
const master: Access = { isMaster: true, entities: ['*'] }

const schema = (permissions?: ClassPermissions, className = 'Note'): ClassSchema => ({
  className,
  fields: new Map([
    ['owner', { type: 'Pointer', targetClass: '_User' }],
    ['pet', { type: 'Pointer', targetClass: 'Pet' }],
    ['readers', { type: 'Array' }],
    ['text', { type: 'String' }],
    ['email', { type: 'String' }],
  ]),
  relations: new Map(),
  ...(permissions && { permissions }),
  indexes: new Map(),
  version: 1,
})

describe('decide', () => {
  const verdict = (
    permissions: ClassPermissions | undefined,
    access: Access,
    operation: 'find' | 'create' | 'update',
  ) => {
    try {
      const decision = decide(schema(permissions), access, operation)
      return decision.rows === 'pointing' ? decision.fields.join() : decision.rows
    } catch (error) {
      return (error as { code: number }).code
    }
  }

  test.each<[string, ClassPermissions | undefined, unknown[]]>([
    // For find: guest, bob, ann (of the crew), master.
    ['no permissions', undefined, ['all', 'all', 'all', 'all']],
    ['nobody', {}, [119, 119, 119, 'all']],
    ['everyone', { find: { '*': true } }, ['all', 'all', 'all', 'all']],
    ['a user', { find: { ann: true } }, [119, 119, 'all', 'all']],
    ['a role', { find: { 'role:crew': true } }, [119, 119, 'all', 'all']],
    ['the signed in', { find: { requiresAuthentication: true } }, [101, 'all', 'all', 'all']],
    ['readUserFields', { readUserFields: ['owner'] }, ['none', 'owner', 'owner', 'all']],
    [
      'pointerFields',
      { find: { pointerFields: ['owner', 'readers'] } },
      ['none', 'owner,readers', 'owner,readers', 'all'],
    ],
    [
      'a role, or pointers',
      { find: { 'role:crew': true }, readUserFields: ['owner'] },
      ['none', 'owner', 'all', 'all'],
    ],
    ['write pointers do not read', { writeUserFields: ['owner'] }, [119, 119, 119, 'all']],
    [
      'names by birth are no rights',
      { find: { toString: true }, constructor: {} } as ClassPermissions,
      [119, 119, 119, 'all'],
    ],
  ])('%s', (_name, permissions, expected) => {
    expect([guest, bob, ann, master].map((access) => verdict(permissions, access, 'find'))).toEqual(expected)
  })

  test('pointers never grant the making of an object', () => {
    expect(verdict({ writeUserFields: ['owner'], create: { pointerFields: ['owner'] } }, ann, 'create')).toBe(119)
    expect(verdict({ writeUserFields: ['owner'] }, ann, 'update')).toBe('owner')
  })

  test('P2: a user called like something that objects have by birth has no right by it', () => {
    const odd: Access = {
      isMaster: false,
      userId: 'constructor',
      entities: ['*', 'constructor', '__proto__', 'toString'],
    }
    expect(verdict({ find: {} }, odd, 'find')).toBe(119)
  })

  test('P11: internal classes are closed to clients', () => {
    for (const name of [
      '_JobStatus',
      '_PushStatus',
      '_Hooks',
      '_GlobalConfig',
      '_GraphQLConfig',
      '_JobSchedule',
      '_Audience',
      '_Idempotency',
      '_Join:users:_Role',
    ]) {
      for (const operation of ['find', 'get', 'create', 'update', 'delete', 'count'] as const) {
        expect(() => decide(schema(undefined, name), ann, operation), name).toThrow(/Clients aren't allowed/)
      }
      expect(decide(schema(undefined, name), master, 'find')).toEqual({ rows: 'all' })
    }
  })
})

describe('rows', () => {
  let real: ClassSchema
  const objects: (WireFields & { name: string })[] = []
  const pointer = (objectId: string, className = '_User') => ({ __type: 'Pointer', className, objectId })
  const server = serveTests()
  beforeAll(async () => {
    const acls = [
      undefined,
      {},
      { '*': { read: true } },
      { ann: { read: true, write: true } },
      { 'role:crew': { write: true } },
      { bob: { read: true }, 'role:crew': { read: true } },
    ]
    const pointers = [
      {},
      { owner: pointer('ann') },
      { owner: pointer('bob'), readers: [pointer('ann'), 1] },
      { pet: pointer('ann', 'Pet'), readers: [pointer('ann', 'Pet'), [pointer('ann')], 'ann'] },
    ]
    for (const [a, ACL] of acls.entries()) {
      for (const [p, fields] of pointers.entries()) {
        const object = { name: `${a}${p}`, ...fields, ...(ACL && { ACL }) }
        const answer = await server.call('POST', '/classes/Note', object, { master: true })
        expect(answer.status).toBe(201)
        objects.push(object as WireFields & { name: string })
      }
    }
    real = server.context.classes.get('Note')
  })

  const decisions: Decision[] = [
    { rows: 'all' },
    { rows: 'none' },
    ...['ann', 'bob'].flatMap((userId) =>
      [['owner'], ['readers'], ['owner', 'readers'], ['pet'], ['nosuch']].map(
        (fields): Decision => ({ rows: 'pointing', fields, userId }),
      ),
    ),
  ]

  test('the condition in SQL and its twin say the same of every object', async () => {
    let seen = 0
    for (const access of [guest, ann, bob, master]) {
      for (const decision of decisions) {
        for (const right of ['read', 'write'] as const) {
          const filter = writeRowFilter(real, access, decision, right, sql`o`) ?? sql`true`
          const rows = await server.context.db.query<{ name: string }>(
            sql`select name from ${sql.table('Note')} o where ${filter} order by name`,
          )
          const expected = objects
            .filter((object) => mayAccess(real, access, decision, right, object))
            .map(({ name }) => name)
          expect(
            rows.map(({ name }) => name),
            JSON.stringify({ access, decision, right }),
          ).toEqual(expected.sort())
          seen += rows.length
        }
      }
    }
    expect(seen).toBeGreaterThan(200)
  })

  test('a guest, a member and a stranger see what the lists say', () => {
    const names = (access: Access) =>
      objects.filter((object) => mayAccess(real, access, { rows: 'all' }, 'read', object)).map(({ name }) => name[0])
    expect(new Set(names(guest))).toEqual(new Set(['0', '2']))
    expect(new Set(names(ann))).toEqual(new Set(['0', '2', '3', '5']))
    expect(new Set(names(bob))).toEqual(new Set(['0', '2', '5']))
    expect(new Set(names(master)).size).toBe(6)
  })
})

describe('hidden fields', () => {
  let config: Config
  beforeAll(async () => {
    config = await readConfig({ environment: {}, folder: '/nonexistent' })
  })
  const open = (permissions: ClassPermissions | undefined, access: Access, object: WireFields, className = 'Note') => {
    const target = schema(permissions, className)
    return Object.keys(stripHidden(hiddenFields(config, target, access), target, access, object)).sort()
  }
  const object = { text: 't', email: 'e', owner: { __type: 'Pointer', className: '_User', objectId: 'ann' } }

  test.each<[string, ClassPermissions['protectedFields'], string[], string[], string[]]>([
    ['nothing is said', {}, ['email', 'owner', 'text'], ['email', 'owner', 'text'], ['email', 'owner', 'text']],
    ['hidden from all', { '*': ['email'] }, ['owner', 'text'], ['owner', 'text'], ['owner', 'text']],
    [
      'the signed in see it',
      { '*': ['email'], authenticated: [] },
      ['owner', 'text'],
      ['email', 'owner', 'text'],
      ['email', 'owner', 'text'],
    ],
    ['a role sees it', { '*': ['email', 'text'], 'role:crew': ['text'] }, ['owner'], ['owner'], ['email', 'owner']],
    ['a user sees it', { '*': ['email'], bob: [] }, ['owner', 'text'], ['email', 'owner', 'text'], ['owner', 'text']],
    [
      'whom the object names sees it',
      { '*': ['email'], 'userField:owner': [] },
      ['owner', 'text'],
      ['owner', 'text'],
      ['email', 'owner', 'text'],
    ],
    [
      'the intersection counts',
      { '*': ['email', 'text'], authenticated: ['text', 'owner'] },
      ['owner'],
      ['email', 'owner'],
      ['email', 'owner'],
    ],
  ])('%s', (_name, protectedFields, forGuest, forBob, forAnn) => {
    const permissions = { protectedFields: protectedFields ?? {} }
    expect(open(permissions, guest, object)).toEqual(forGuest)
    expect(open(permissions, bob, object)).toEqual(forBob)
    expect(open(permissions, ann, object)).toEqual(forAnn)
    expect(open(permissions, master, object)).toEqual(['email', 'owner', 'text'])
  })

  test('addresses of users are hidden from all but themselves unless the operator says otherwise', async () => {
    const user = { objectId: 'ann', email: 'e', emailVerified: true, text: 't' }
    expect(open(undefined, bob, user, '_User')).toEqual(['objectId', 'text'])
    expect(open(undefined, ann, user, '_User')).toEqual(['email', 'emailVerified', 'objectId', 'text'])
    config = await readConfig({
      environment: {},
      folder: '/nonexistent',
      flags: { protectedFields: { Other: { '*': ['x'] } } },
    })
    expect(open(undefined, bob, user, '_User')).toEqual(['objectId', 'text'])
    config = await readConfig({
      environment: {},
      folder: '/nonexistent',
      flags: { protectedFields: { _User: { '*': ['text'] } } },
    })
    expect(open(undefined, bob, user, '_User')).toEqual(['email', 'emailVerified', 'objectId'])
  })

  test('the object that is stripped stays whole for others', () => {
    const target = schema({ protectedFields: { '*': ['email'] } })
    const whole = { ...object }
    stripHidden(hiddenFields(config, target, guest), target, guest, whole)
    expect(whole).toEqual(object)
  })
})
