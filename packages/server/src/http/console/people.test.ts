import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ask, newUser, logIn } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }

type Rows = { results: { objectId: string; username: string; methods: string[] }[]; next?: string }

test.each(['createdAt', '-createdAt', 'username', '-username', 'lastSeenAt', '-lastSeenAt'])(
  'users by %s, page by page, each once',
  async (order) => {
    for (const name of ['Zed_1', 'ada', 'Émile']) await newUser(name)
    const read = async (query: string) => (await ask(root, 'GET', `/console/users?${query}`)).body as Rows
    const all = (await read(`order=${order}&limit=100`)).results.map(({ objectId }) => objectId)
    const seen: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await read(`order=${order}&limit=2${after ? `&after=${encodeURIComponent(after)}` : ''}`)
      seen.push(...page.results.map(({ objectId }) => objectId))
      after = page.next
      if (!after) break
    }
    expect(seen).toEqual(all)
    const reverse = order.startsWith('-') ? order.slice(1) : `-${order}`
    expect((await read(`order=${reverse}&limit=100`)).results.map(({ objectId }) => objectId)).toEqual(all.toReversed())
  },
)

test('a row has its sign-in methods, and a malformed cursor is refused', async () => {
  const bob = await newUser('bob')
  const { body } = await ask(root, 'GET', `/console/users?search=${bob.objectId}`)
  expect((body as Rows).results[0]?.methods).toEqual(['password'])
  for (const after of ['x', '[]', '["no date","x"]', '[1,2]', '{}', 'null'])
    expect((await ask(root, 'GET', `/console/users?after=${encodeURIComponent(after)}`)).status, after).toBe(400)
})

test('one session is ended, the others stay, and support ends none of an operator', async () => {
  const bob = await newUser('bob')
  await logIn(`bob${office.count}`)
  const list = async () =>
    ((await ask(helper, 'GET', `/console/users/${bob.objectId}`)).body as { sessions: { objectId: string }[] }).sessions
  const [first, second] = await list()
  const path = `/console/users/${bob.objectId}/sessions/${first?.objectId}`
  expect((await ask(watcher, 'DELETE', path)).status).toBeGreaterThanOrEqual(400)
  // The session of one user at the address of another.
  expect((await ask(helper, 'DELETE', `/console/users/${root.objectId}/sessions/${first?.objectId}`)).status).toBe(403)
  const ann = await newUser('ann')
  expect((await ask(helper, 'DELETE', `/console/users/${ann.objectId}/sessions/${first?.objectId}`)).status).toBe(404)
  expect((await ask(helper, 'DELETE', path)).status).toBe(200)
  expect((await ask(helper, 'DELETE', path)).status).toBe(404)
  expect((await list()).map(({ objectId }) => objectId)).toEqual([second?.objectId])
})

test('an operator’s deletion is undone by an operator, and by no sign-in of the owner', async () => {
  const bob = await newUser('bob')
  const name = `bob${office.count}`
  const path = `/console/users/${bob.objectId}`
  expect((await ask(helper, 'POST', `${path}/delete`, {})).status).toBeGreaterThanOrEqual(400)
  expect((await ask(root, 'POST', `/console/users/${helper.objectId}/delete`, {})).body.reason).toBe(
    'operatorForbidden',
  )
  const scheduled = await ask(root, 'POST', `${path}/delete`, {})
  expect(Date.parse(String(scheduled.body.deletedAt))).toBeGreaterThan(Date.now())
  // A second request keeps the date.
  expect((await ask(root, 'POST', `${path}/delete`, {})).body).toEqual(scheduled.body)
  expect((await ask(root, 'GET', path)).body).toMatchObject({ status: 'deleting', isUndoable: true, sessions: [] })
  const back = { username: name, password: `${name} password`, restoreAccount: true }
  expect((await office.server.call('POST', '/login', back)).status).toBe(404)
  expect((await ask(root, 'POST', `${path}/undoDelete`, {})).body).toEqual({ status: 'active' })
  expect((await ask(root, 'POST', `${path}/undoDelete`, {})).status).toBe(403)
  expect((await office.server.call('POST', '/login', back)).status).toBe(200)
})

test('an owner’s deletion is the owner’s: no operator undoes it', async () => {
  const bob = await newUser('bob')
  await office.server.context.db.transaction(async () => {
    const { scheduleDeletion } = await import('../../users/accountDeletion.ts')
    await scheduleDeletion(office.server.context, { isMaster: true, isLocalApp: false, ipAddress: '' }, bob.objectId)
  })
  const path = `/console/users/${bob.objectId}`
  expect((await ask(root, 'GET', path)).body).toMatchObject({ status: 'deleting', isUndoable: false })
  expect((await ask(root, 'POST', `${path}/undoDelete`, {})).body.reason).toBe('operatorForbidden')
  await ask(root, 'POST', `${path}/delete`, {})
  expect((await ask(root, 'POST', `${path}/undoDelete`, {})).body.reason).toBe('operatorForbidden')
})

test('roles of a user say why: by hand, or through another role', async () => {
  const bob = await newUser('bob')
  const users = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: bob.objectId }] }
  const below = `below${office.count}`
  const made = await office.server.call('POST', '/roles', { name: below, ACL: {}, users }, master)
  const roles = {
    __op: 'AddRelation',
    objects: [{ __type: 'Pointer', className: '_Role', objectId: made.body.objectId }],
  }
  await office.server.call('POST', '/roles', { name: `above${office.count}`, ACL: {}, roles }, master)
  const { body } = await ask(helper, 'GET', `/console/users/${bob.objectId}`)
  expect(body.grants).toMatchObject([
    { name: `above${office.count}`, isGated: false, path: [below, `above${office.count}`] },
    { name: below, isGated: false, path: [below] },
  ])
})

test('the audit log is filtered by person, object and time, and names people and roles', async () => {
  const bob = await newUser('bob')
  const began = new Date().toISOString()
  await ask(root, 'POST', `/console/users/${bob.objectId}/disable`, {})
  type Log = { results: { id: string; action: string; actor: string }[]; names: Record<string, string> }
  const read = async (query: string) => (await ask(root, 'GET', `/audit?${query}`)).body as Log
  await expect
    .poll(async () => (await read(`subject=${bob.objectId}`)).results.map(({ action }) => action))
    .toContain('disableUser')
  const log = await read(`person=${root.objectId}&subject=${bob.objectId}`)
  expect(log.names[bob.objectId]).toBe(`bob${office.count}`)
  expect(log.names[root.objectId]).toBeTruthy()
  // By id: entries are sealed a moment after they are written.
  const idsOf = ({ results }: Log) => results.map(({ id }) => id)
  const byName = encodeURIComponent(String(log.names[root.objectId]))
  expect(idsOf(await read(`person=${byName}&subject=${bob.objectId}`))).toEqual(idsOf(log))
  expect((await read(`person=nobody&subject=${bob.objectId}`)).results).toEqual([])
  expect((await read(`subject=${bob.objectId}&until=${began}&action=disableUser`)).results).toEqual([])
  expect((await read(`subject=${bob.objectId}&since=${began}&action=disableUser`)).results).toHaveLength(1)
  expect((await ask(root, 'GET', '/audit?since=yesterday')).status).toBe(400)
})
