import { expect, test } from 'vitest'
import { writeSchemaFile } from '../classes/schema/SchemaFile.ts'
import { writeTypes } from '../classes/schema/writeTypes.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

type Plan = { text: string; drops: boolean }[]
const apply = async (classes: unknown, options: object = {}) => {
  const { status, body } = await server.call('POST', '/applySchema', { classes, ...options }, { master: true })
  const lines = (body.plan as Plan | undefined)?.map(({ text, drops }) => (drops ? `! ${text}` : text))
  return { status, body, lines, applied: body.applied }
}
const schemas = async () =>
  (await server.call('GET', '/schemas', undefined, { master: true })).body.results as never as Parameters<
    typeof writeTypes
  >[0]
const find = async (className: string) => (await schemas()).find((schema) => schema.className === className)
const sql = (text: string) => server.context.db.query({ text })

const first = {
  Game: {
    fields: {
      title: { type: 'String', required: true },
      level: { type: 'Number', defaultValue: 1 },
      played: 'Date',
      owner: { type: 'Pointer', targetClass: '_User' },
      players: { type: 'Relation', targetClass: '_User' },
    },
    classLevelPermissions: { find: { '*': true }, get: { '*': true }, create: { requiresAuthentication: true } },
    indexes: { byTitle: { title: 1, unique: true } },
  },
  Score: { fields: { game: { type: 'Pointer', targetClass: 'Game' }, points: 'Number' } },
  _User: { fields: { nick: 'String' } },
}

test('a dry run shows the plan and does nothing; applied it is done, and there is nothing to do afterwards', async () => {
  const plan = [
    'create class Game',
    'add Game.title: String, required',
    'add Game.level: Number, default 1',
    'add Game.played: Date',
    'add Game.owner: Pointer<_User>',
    'add Game.players: Relation<_User>',
    'set the permissions of Game',
    'add unique index byTitle of Game: title 1',
    'create class Score',
    'add Score.game: Pointer<Game>',
    'add Score.points: Number',
    'add _User.nick: String',
  ]
  expect(await apply(first, { dryRun: true })).toMatchObject({ status: 200, lines: plan, applied: false })
  expect(await find('Game')).toBeUndefined()
  expect(await apply(first)).toMatchObject({ lines: plan, applied: true })
  expect(await find('Game')).toMatchObject({
    fields: { title: { type: 'String', required: true }, players: { type: 'Relation', targetClass: '_User' } },
    classLevelPermissions: { create: { requiresAuthentication: true }, update: {} },
    indexes: { byTitle: { title: 1, unique: true } },
  })
  expect(await apply(first)).toMatchObject({ lines: [], applied: true })
  await sql(
    `insert into public."Game" ("objectId", "createdAt", "updatedAt", title, level) values ('g', now(), now(), 'Go', 9)`,
  )
})

test('a change that loses data is rejected as a whole, and applied only if allowed', async () => {
  const { Score: _gone, ...rest } = first
  const then = {
    ...rest,
    Game: {
      ...first.Game,
      fields: {
        title: { type: 'String' },
        level: 'String',
        owner: { type: 'Pointer', targetClass: '_User' },
        fresh: 'Boolean',
      },
      indexes: { byTitle: { title: -1 }, byLevel: { level: 1 } },
    },
    More: {},
  }
  await sql(`insert into public."Score" ("objectId", "createdAt", "updatedAt") values ('s', now(), now())`)
  const plan = [
    'drop index byTitle of Game',
    '! drop Game.level: Number and its values',
    '! drop Game.played: Date and its values',
    '! drop Game.players: Relation<_User> and its values',
    'change Game.title to String',
    'add Game.level: String',
    'add Game.fresh: Boolean',
    'add index byTitle of Game: title -1',
    'add index byLevel of Game: level 1',
    'create class More',
    '! drop class Score with 1 object',
  ]
  expect(await apply(then)).toMatchObject({ lines: plan, applied: false })
  expect(await find('More')).toBeUndefined()
  expect(await sql('select level from public."Game"')).toEqual([{ level: 9 }])
  expect(await apply(then, { allowDrops: true })).toMatchObject({ lines: plan, applied: true })
  expect(await sql('select level, title from public."Game"')).toEqual([{ level: null, title: 'Go' }])
  expect(await find('Score')).toBeUndefined()
  expect((await find('Game'))?.indexes).toEqual({ byTitle: { title: -1 }, byLevel: { level: 1 } })
  expect(await apply(then)).toMatchObject({ lines: [] })
})

test('parts missing in the file stay unchanged; system classes need not be named', async () => {
  const before = await find('Game')
  expect(await apply({ Game: {}, More: { fields: {} } })).toMatchObject({ lines: [], applied: true })
  expect(await find('Game')).toEqual(before)
  expect(await apply({ Game: {}, More: {}, _User: { fields: {} } })).toMatchObject({
    lines: ['! drop _User.nick: String and its values'],
    applied: false,
  })
})

test('a mistake is reported with its class, and nothing of the file is done', async () => {
  const mistakes: [unknown, number, RegExp][] = [
    [{ Fine: {}, Bad: { fields: { a: 'Text' } } }, 111, /^Bad: invalid field type: Text$/],
    [{ Fine: {}, 'a"b': {} }, 103, /^a"b: Invalid classname/],
    [{ Fine: {}, Bad: { field: {} } }, 107, /^Bad: field is not a property of a class/],
    [{ Fine: {}, Bad: { indexes: { i: { nothing: 1 } } } }, 102, /^Bad: Field nothing does not exist/],
    [{ Fine: {}, _User: { fields: { email: 'Number' } } }, 255, /^_User: Field email exists, cannot update.$/],
    [{ Fine: {}, Bad: null }, 107, /^Bad: Bad must be an object/],
    [[], 107, /^classes must be an object/],
    ['x', 107, /^classes must be an object/],
    [{ Fine: {}, Bad: { fields: { l: 'Array' }, indexes: { i: { l: 1, unique: true } } } }, 102, /cannot be unique/],
  ]
  for (const [file, code, message] of mistakes) {
    const { status, body } = await apply(file, { allowDrops: true })
    expect([status, body.code, body.error]).toEqual([400, code, expect.stringMatching(message)])
  }
  expect(await find('Fine')).toBeUndefined()
  expect(await find('Game')).toBeDefined()
  expect((await server.call('POST', '/applySchema', { classes: {} })).status).toBe(403)
})

test('a printed schema file says what the classes are: applied again it changes nothing', async () => {
  await apply(first, { allowDrops: true })
  const text = writeSchemaFile(await schemas())
  expect(text).toMatch(/^import { defineSchema } from 'countersign'\n\nexport default defineSchema\(\{\n {2}Game: \{/)
  expect(text).toContain('byTitle: {')
  expect(text).not.toContain('objectId')
  expect(text).not.toContain('_Session')
  const body = text.slice(text.indexOf('defineSchema({') + 'defineSchema('.length, text.lastIndexOf(')'))
  const classes = new Function(`return ${body}`)()
  expect(Object.keys(classes)).toEqual(['Game', 'Score', '_User'])
  expect(await apply(classes)).toMatchObject({ lines: [], applied: true })
})

test('types for clients name every class and field', async () => {
  const text = writeTypes(await schemas())
  expect(text).toContain(`import type * as _countersign from '@countersign/react'`)
  expect(text).toContain(`export interface GameFields {
  level?: number
  owner?: _countersign.Pointer<'_User'>
  played?: Date
  players: _countersign.Relation<'_User'>
  title: string
}
`)
  expect(text).toContain(`declare module '@countersign/react' {
  interface Register {
    classes: {
      Game: GameFields
      Score: ScoreFields
      _Role: _RoleFields
`)
  expect(text).toMatch(
    /interface _UserFields {\n {2}accounts\?: unknown\[\]\n(.*\n)*? {2}nick\?: string\n(.*\n)*? {2}username: string\n}/,
  )
  expect(text).not.toMatch(/password|objectId|authData/)
})
