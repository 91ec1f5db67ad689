import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, ann, ask, newUser } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }
const pointer = (objectId: string) => ({ __type: 'Pointer', className: '_User', objectId })

describe('the access tester', () => {
  const can = async (query: Record<string, string>) =>
    (await ask(root, 'GET', `/console/access?${new URLSearchParams(query)}`)).body as {
      isAllowed: boolean
      isFound?: boolean
      steps: { rule: string; outcome: string; entry?: string; path?: string[]; holds?: string[] }[]
    }

  test('names the entry, the path of roles and the rule that decides', async () => {
    const bob = await newUser('bob')
    const users = { __op: 'AddRelation', objects: [pointer(bob.objectId)] }
    const inner = await office.server.call('POST', '/roles', { name: 'writers', ACL: {}, users }, master)
    const roles = {
      __op: 'AddRelation',
      objects: [{ __type: 'Pointer', className: '_Role', objectId: inner.body.objectId }],
    }
    await office.server.call('POST', '/roles', { name: 'staff', ACL: {}, roles }, master)
    const { body } = await office.server.call(
      'POST',
      '/classes/Paper',
      { ACL: { 'role:staff': { read: true } } },
      master,
    )
    const about = { user: bob.objectId, className: 'Paper', objectId: body.objectId as string }
    expect(await can({ ...about, operation: 'get' })).toMatchObject({
      isAllowed: true,
      isFound: true,
      steps: [
        { rule: 'classPermissions', outcome: 'allows' },
        { rule: 'accessList', outcome: 'allows', entry: 'role:staff', path: ['writers', 'staff'] },
      ],
    })
    expect(await can({ ...about, operation: 'update' })).toMatchObject({ isAllowed: false })
    expect(await can({ className: 'Paper', objectId: about.objectId, operation: 'get' })).toMatchObject({
      isAllowed: false,
      steps: [{}, { rule: 'accessList', outcome: 'refuses', holds: ['role:staff'] }],
    })
    expect(await can({ ...about, objectId: 'nosuch', operation: 'get' })).toMatchObject({
      isAllowed: false,
      isFound: false,
    })
    await office.server.call(
      'PUT',
      '/schemas/Paper',
      { classLevelPermissions: { get: { 'role:staff': true }, find: {} } },
      master,
    )
    expect(await can({ ...about, operation: 'get' })).toMatchObject({
      isAllowed: true,
      steps: [{ rule: 'classPermissions', entry: 'role:staff' }, {}],
    })
    expect(await can({ ...about, operation: 'find' })).toMatchObject({ isAllowed: false })
    expect(await can({ user: bob.objectId, className: '_JobStatus', operation: 'find' })).toMatchObject({
      isAllowed: false,
    })
  })

  test('agrees with the responses to requests', async () => {
    const bob = await newUser('bob')
    const lists = [
      undefined,
      {},
      { '*': { read: true } },
      { [bob.objectId]: { read: true, write: true } },
      { [ann.objectId]: { read: true, write: true } },
    ]
    for (const ACL of lists) {
      const { body } = await office.server.call('POST', '/classes/Judged', { n: 1, ...(ACL && { ACL }) }, master)
      const about = { user: bob.objectId, className: 'Judged', objectId: body.objectId as string }
      const read = await office.server.call('GET', `/classes/Judged/${body.objectId}`, undefined, { token: bob.token })
      const write = await office.server.call('PUT', `/classes/Judged/${body.objectId}`, { n: 2 }, { token: bob.token })
      expect((await can({ ...about, operation: 'get' })).isAllowed, JSON.stringify(ACL)).toBe(read.status === 200)
      expect((await can({ ...about, operation: 'update' })).isAllowed, JSON.stringify(ACL)).toBe(write.status === 200)
    }
  })
})
