import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }

type Page = { results: { objectId: string; name: string; users: number; isMore: boolean }[]; next?: string }

const add = (className: string, ids: string[]) => ({
  __op: 'AddRelation',
  objects: ids.map((objectId) => ({ __type: 'Pointer', className, objectId })),
})
const makeRole = async (name: string, { users = [] as string[], roles = [] as string[] } = {}) => {
  const fields = {
    name,
    ACL: {},
    ...(users.length > 0 && { users: add('_User', users) }),
    ...(roles.length > 0 && { roles: add('_Role', roles) }),
  }
  return (await office.server.call('POST', '/roles', fields, master)).body.objectId as string
}
const list = async (query = '') => (await ask(watcher, 'GET', `/console/roles${query}`)).body as unknown as Page
const names = async (query = '') => (await list(query)).results.map(({ name }) => name)

test('a tree from the top, with circles in it, and by a part of the name', async () => {
  const editors = await makeRole('editors', { users: [ann.objectId] })
  const staff = await makeRole('staff', { roles: [editors] })
  const [one, two] = [await makeRole('circle one'), await makeRole('circle two')]
  await office.server.call('PUT', `/roles/${one}`, { roles: add('_Role', [two, one]) }, master)
  await office.server.call('PUT', `/roles/${two}`, { roles: add('_Role', [one]) }, master)
  // Nothing leads into the circle, so it stands at the top.
  expect(await names()).toEqual(['circle one', 'circle two', 'staff'])
  expect(await names(`?parent=${staff}`)).toEqual(['editors'])
  expect(await names(`?parent=${one}`)).toEqual(['circle one', 'circle two'])
  expect(await names('?search=EDIT')).toEqual(['editors'])
  for (const search of ["' or 1=1 --", '%', '_', '\\'])
    expect(await names(`?search=${encodeURIComponent(search)}`)).toEqual([])
  // A circle below a role that is at the top is found there.
  await office.server.call('PUT', `/roles/${staff}`, { roles: add('_Role', [one]) }, master)
  expect(await names()).toEqual(['staff'])
  expect((await ask(helper, 'GET', `/console/roles/${editors}`)).body).toMatchObject({
    name: 'editors',
    users: 1,
    isMore: false,
    roles: 0,
    tokenGates: 0,
    parents: [{ objectId: staff, name: 'staff' }],
    readers: [],
    writers: [],
  })
  expect((await ask(root, 'GET', '/console/roles/nosuch')).status).toBe(404)
})

test('roles and members come page by page', async () => {
  for (let place = 0; place < 7; place++) await makeRole(`paged ${place}`)
  const seen: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await list(`?search=paged&limit=3${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`)
    seen.push(...page.results.map(({ name }) => name))
    after = page.next
    if (after === undefined) break
  }
  expect(seen).toEqual(Array.from({ length: 7 }, (_, place) => `paged ${place}`))

  const crowd = await makeRole('crowd')
  // Deleted members are no rows, and very many are counted up to a limit.
  await office.server.context.db.query(sql`
    insert into public."_Join:users:_Role" ("owningId", "relatedId")
    select ${crowd}, 'gone' || n from generate_series(1, 1500) n`)
  const users = await Promise.all(['x', 'y', 'z'].map((name) => office.newUser(name)))
  const ids = users.map(({ objectId }) => objectId)
  await office.server.call('PUT', `/roles/${crowd}`, { users: add('_User', ids) }, master)
  expect((await ask(root, 'GET', `/console/roles/${crowd}`)).body).toMatchObject({ users: 1000, isMore: true })
  const members: string[] = []
  for (let after = ''; ; ) {
    const { body } = await ask(helper, 'GET', `/console/roles/${crowd}/members?limit=2&after=${after}`)
    members.push(...(body.results as { objectId: string }[]).map(({ objectId }) => objectId))
    if (body.next === undefined) break
    after = body.next as string
  }
  expect(new Set(members)).toEqual(new Set(ids))
  expect(members).toHaveLength(3)
  const found = await ask(root, 'GET', `/console/roles/${crowd}/members?search=${ids[0]}`)
  expect(found.body.results).toHaveLength(1)
})

test('an administrator changes roles; support and viewers read them', async () => {
  for (const user of [helper, watcher]) {
    expect((await ask(user, 'GET', '/console/roles')).status).toBe(200)
    const made = await ask(user, 'POST', '/classes/_Role', {
      name: 'their own',
      ACL: {},
      users: add('_User', [ann.objectId]),
    })
    // Support is a user as any other: what it makes is its own, and no right of the console.
    if (made.status === 201) expect((await ask(user, 'GET', `/classes/_Role/${made.body.objectId}`)).status).toBe(404)
    else expect(made.status).toBeGreaterThanOrEqual(400)
    const crew = await makeRole(`crew of ${user.objectId}`)
    const change = { users: add('_User', [user.objectId]) }
    expect((await ask(user, 'PUT', `/classes/_Role/${crew}`, change)).status).toBeGreaterThanOrEqual(400)
    expect((await ask(user, 'DELETE', `/classes/_Role/${crew}`)).status).toBeGreaterThanOrEqual(400)
  }
  const crew = await makeRole('crew')
  const joined = await ask(root, 'PUT', `/classes/_Role/${crew}`, { users: add('_User', [ann.objectId]) })
  expect(joined.status).toBe(200)
  expect((await ask(root, 'GET', `/console/roles/${crew}`)).body).toMatchObject({ users: 1 })
  expect((await ask(root, 'DELETE', `/classes/_Role/${crew}`)).status).toBe(200)
  expect((await ask(ann, 'GET', '/console/roles')).status).toBe(404)
})

test('files are listed newest first, with who uploaded them, and no previews', async () => {
  const upload = async (name: string, token?: string) =>
    (
      await office.server.call('POST', `/files/${name}`, 'some text', {
        ...(token ? { token } : master),
        headers: { 'Content-Type': 'text/plain' },
      })
    ).body.name as string
  const first = await upload('first.txt', ann.token)
  office.server.clock.forward(1000)
  const second = await upload('second.txt')
  const { body } = await ask(watcher, 'GET', '/console/files?limit=1')
  expect(body.results).toMatchObject([{ name: second, type: 'text/plain', size: 9, store: 'database' }])
  expect((body.results as object[])[0]).not.toHaveProperty('owner')
  const next = await ask(watcher, 'GET', `/console/files?limit=1&after=${encodeURIComponent(String(body.next))}`)
  expect(next.body).toMatchObject({ results: [{ name: first, owner: { objectId: ann.objectId, username: 'ann' } }] })
  expect(next.body).not.toHaveProperty('next')
  const found = await ask(root, 'GET', '/console/files?search=FIRST')
  expect(found.body.results).toMatchObject([{ name: first }])
  expect((await ask(root, 'GET', '/console/files?after=nonsense')).status).toBe(400)
  expect((await ask(helper, 'GET', '/console/files')).body.reason).toBe('operatorForbidden')
  expect((await ask(watcher, 'DELETE', `/files/${first}`)).status).toBeGreaterThanOrEqual(400)
  expect((await ask(root, 'DELETE', `/files/${first}`)).status).toBe(200)
})
