import { beforeEach, describe, expect, test } from 'vitest'
import { createSchemaCalls, master } from '../testing/objects/createSchemaCalls.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

let count = 0
let name = ''
beforeEach(() => {
  name = `Class${++count}`
})

const { post, get, sql, drop, put } = createSchemaCalls(
  () => server,
  () => name,
)

describe('refusals carry their code and change nothing', () => {
  const type = (fields: object) => ({ fields })
  test.each<[string, object, number, string]>([
    ['bad name', type({ length: { type: 'String' } }), 105, 'invalid field name: length'],
    ['quotes', type({ 'a"b': { type: 'String' } }), 105, 'invalid field name: a"b'],
    ['system column', type({ xmin: { type: 'String' } }), 105, 'invalid field name: xmin'],
    ['default field', type({ objectId: { type: 'String' } }), 136, 'field objectId cannot be added'],
    ['unknown type', type({ a: { type: 'Foo' } }), 111, 'invalid field type: Foo'],
    ['type of birth', type({ a: { type: 'toString' } }), 111, 'invalid field type: toString'],
    ['no type', type({ a: {} }), 107, 'invalid JSON'],
    ['no object', type({ a: 'String' }), 107, 'invalid JSON'],
    ['null field', type({ a: null }), 107, 'invalid JSON'],
    ['list of fields', { fields: [] }, 107, 'fields must be an object.'],
    ['pointer to nowhere', type({ a: { type: 'Pointer' } }), 135, 'type Pointer needs a class name'],
    ['relation to nowhere', type({ a: { type: 'Relation' } }), 135, 'type Relation needs a class name'],
    ['pointer to a number', type({ a: { type: 'Pointer', targetClass: 5 } }), 107, 'invalid JSON'],
    [
      'P3: pointer to SQL',
      type({ a: { type: 'Pointer', targetClass: 'x"; drop table "_User' } }),
      103,
      'Invalid classname: x"; drop table "_User, classnames can only have alphanumeric characters and _, and must start with an alpha character ',
    ],
    [
      'two places',
      type({ a: { type: 'GeoPoint' }, b: { type: 'GeoPoint' } }),
      111,
      'currently, only one GeoPoint field may exist in an object. Adding b when a already exists.',
    ],
    ['delete nothing', type({ z: { __op: 'Delete' } }), 255, 'Field z does not exist, cannot delete.'],
    [
      'wrong default',
      type({ a: { type: 'Number', defaultValue: 'x' } }),
      111,
      '{c}.a default value; expected Number but got String',
    ],
    [
      'required relation',
      type({ a: { type: 'Relation', targetClass: '_User', required: true } }),
      111,
      "The 'required' option is not applicable for Relation<_User>",
    ],
    ['required text', type({ a: { type: 'String', required: 'yes' } }), 107, 'required of a must be true or false'],
    ['index of nothing', { indexes: { i: { z: 1 } } }, 102, 'Field z does not exist, cannot add index.'],
    ['index of birth', { indexes: { i: { toString: 1 } } }, 102, 'Field toString does not exist, cannot add index.'],
    ['no such index', { indexes: { i: { __op: 'Delete' } } }, 102, 'Index i does not exist, cannot delete.'],
    ['P3: index name', { indexes: { 'i" on x; --': { objectId: 1 } } }, 102, 'Invalid index name: i" on x; --.'],
    [
      'index direction',
      { indexes: { i: { objectId: 2 } } },
      102,
      'Index i: the value of a field must be 1, -1 or "text".',
    ],
    [
      'P3: index direction',
      { indexes: { i: { objectId: 'desc); drop' } } },
      102,
      'Index i: the value of a field must be 1, -1 or "text".',
    ],
    ['empty index', { indexes: { i: {} } }, 102, 'Index i must have 1 to 32 fields.'],
    ['index of ACL', { indexes: { i: { ACL: 1 } } }, 102, 'ACL is not a field of {c} that can be indexed.'],
  ])('%s', async (_what, body, code, message) => {
    const answer = await post(body)
    const expected = message.replace('{c}', name)
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(answer.body.error).toContain(expected)
    expect((await get()).body.code).toBe(103)
    expect(await sql(`select 1 from pg_tables where tablename = '${name}'`)).toEqual([])
  })

  test('P1, P2, P3: invalid class names', async () => {
    const names = ['_Hidden', '1x', 'a-b', 'a b', 'x"y', "x';--", '__proto__', 'constructor', '_Join:users:_Role', 'é']
    for (const bad of names) {
      const path = `/schemas/${encodeURIComponent(bad)}`
      for (const [method, code] of [
        ['POST', 103],
        ['GET', 103],
        ['PUT', 103],
        ['DELETE', 103],
      ] as const) {
        const { status, body } = await server.call(method, path, method === 'GET' ? undefined : {}, master)
        expect([bad, method, status, body.code]).toEqual([bad, method, 400, code])
      }
      expect((await server.call('DELETE', `/purge/${encodeURIComponent(bad)}`, undefined, master)).body).toEqual({})
      expect((await post({ className: bad }, '/schemas')).status).toBe(400)
    }
    await post({})
    const polluted = `{"fields":{"__proto__":{"type":"String"}}}`
    expect((await server.call('PUT', `/schemas/${name}`, polluted, master)).body.code).toBe(105)
  })

  test('the name in the path and the one in the body', async () => {
    expect((await post({}, '/schemas')).body).toMatchObject({ code: 135, error: 'POST /schemas needs a class name.' })
    expect((await post({ className: 'Other' })).body).toMatchObject({
      code: 103,
      error: `Class name mismatch between Other and ${name}.`,
    })
    expect((await post({ className: 5 })).body.code).toBe(107)
    expect((await post({ className: name }, '/schemas')).body).toMatchObject({ className: name })
    expect((await server.call('PUT', '/schemas/Nowhere', {}, master)).body).toMatchObject({
      code: 103,
      error: 'Class Nowhere does not exist.',
    })
    expect((await drop('Nowhere')).body).toEqual({})
  })

  test('existing fields keep their type; options may change; a rejected request changes nothing', async () => {
    await post({
      fields: {
        a: { type: 'Number' },
        p: { type: 'Pointer', targetClass: '_User' },
        r: { type: 'Relation', targetClass: '_User' },
      },
    })
    const refused: [object, number, string][] = [
      [{ a: { type: 'String' } }, 255, 'Field a exists, cannot update.'],
      [{ r: { type: 'Pointer', targetClass: '_User' } }, 255, 'Field r exists, cannot update.'],
      [
        { p: { type: 'Pointer', targetClass: '_Role' } },
        111,
        `schema mismatch for ${name}.p; expected Pointer<_User> but got Pointer<_Role>`,
      ],
      [{ objectId: { __op: 'Delete' } }, 136, 'field objectId cannot be changed'],
      [{ ACL: { __op: 'Delete' } }, 136, 'field ACL cannot be changed'],
      [{ fine: { type: 'String' }, z: { __op: 'Delete' } }, 255, 'Field z does not exist, cannot delete.'],
    ]
    for (const [fields, code, error] of refused) expect((await put({ fields })).body).toMatchObject({ code, error })
    expect((await get()).body.fields).not.toHaveProperty('fine')
    const { body } = await put({
      fields: { a: { type: 'Number', required: true, defaultValue: 7 }, objectId: { type: 'String' } },
    })
    expect(body.fields).toMatchObject({ a: { type: 'Number', required: true, defaultValue: 7 } })
    name = '_User'
    expect((await put({ fields: { email: { __op: 'Delete' } } })).body).toMatchObject({
      code: 136,
      error: 'field email cannot be changed',
    })
    expect((await put({ fields: { username: { type: 'String', required: true } } })).body.code).toBe(136)
    expect((await put({ fields: { password: { type: 'String' } } })).status).toBe(200)
  })

  test.each<[object, string]>([
    [{ foo: {} }, 'foo is not a valid operation for class level permissions'],
    [{ find: { x: true } }, "'x' is not a valid key for class level permissions"],
    [{ find: { '*': false } }, "'false' is not a valid value for class level permissions find:*:false"],
    [{ find: true }, "'true' is not a valid value for class level permissions find - must be an object"],
    [{ find: { pointerFields: 'a' } }, "'a' is not a valid value for find[pointerFields] - expected an array."],
    [{ get: { pointerFields: ['text'] } }, "'text' is not a valid column for class level pointer permissions get"],
    [
      { readUserFields: 'owner' },
      "'owner' is not a valid value for class level permissions readUserFields - must be an array",
    ],
    [
      { writeUserFields: ['nobody'] },
      "'nobody' is not a valid column for class level pointer permissions writeUserFields",
    ],
    [
      { readUserFields: ['toString'] },
      "'toString' is not a valid column for class level pointer permissions readUserFields",
    ],
    [{ readUserFields: [{ $ne: null }] }, `'{"$ne":null}' is not a valid column`],
    [{ protectedFields: { '*': ['nothing'] } }, "Field 'nothing' in protectedFields:* does not exist"],
    [{ protectedFields: { '*': ['objectId'] } }, "Default field 'objectId' can not be protected"],
    [{ protectedFields: { '*': 'text' } }, "'text' is not a valid value for protectedFields[*] - expected an array."],
    [{ protectedFields: { y: [] } }, "'y' is not a valid key for class level permissions"],
    [
      { protectedFields: [] },
      "'[]' is not a valid value for class level permissions protectedFields - must be an object",
    ],
  ])('permissions %j', async (classLevelPermissions, message) => {
    const fields = {
      text: { type: 'String' },
      owner: { type: 'Pointer', targetClass: '_User' },
      members: { type: 'Array' },
    }
    const { body } = await post({ fields, classLevelPermissions })
    expect([body.code, body.error]).toEqual([107, expect.stringContaining(message)])
    expect((await get()).body.code).toBe(103)
  })
})
