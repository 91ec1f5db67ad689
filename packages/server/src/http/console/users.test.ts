import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { inConsole, openConsole, type ConsoleUser as User } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask, grant, newUser, logIn } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }

describe('users', () => {
  const find = async (query: string) =>
    (await ask(root, 'GET', `/console/users?${query}`)).body as { results: { objectId: string }[]; next?: string }
  const ids = async (query: string) => (await find(query)).results.map(({ objectId }) => objectId)

  test('found by a part of the name or address, by id and wallet, with filters, page by page', async () => {
    const zoe = await office.server.signUp('Zoë.Search', { email: 'zoe@search.example' })
    const address = `0x${'cd'.repeat(20)}`
    await office.server.context.db.query(sql`
      insert into countersign.wallets (key, "objectId", "user", namespace, kind, address, is_primary, linked, last_used)
      values (${`eip155:${address}`}, 'w1', ${zoe.objectId}, 'eip155', 'eoa', ${address}, true, now(), now())`)
    for (const search of ['zoë.s', 'ZOE@SEARCH', zoe.objectId, address, address.toUpperCase().replace('0X', '0x')])
      expect(await ids(`search=${encodeURIComponent(search)}`), search).toEqual([zoe.objectId])
    for (const search of ["' or 1=1 --", '%', '_', 'a%27', '\\'])
      expect((await ask(root, 'GET', `/console/users?search=${encodeURIComponent(search)}`)).status).toBe(200)
    expect(await ids('filter=operators')).toHaveLength(3)
    expect(await ids('filter=unverified')).toContain(zoe.objectId)
    const seen: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await find(`limit=2${after ? `&after=${encodeURIComponent(after)}` : ''}`)
      seen.push(...page.results.map(({ objectId }) => objectId))
      after = page.next
      if (!after) break
    }
    expect(new Set(seen).size).toBe(seen.length)
    const [{ users }] = (await office.server.context.db.query<{ users: number }>(
      sql`select count(*)::int as users from "_User"`,
    )) as [{ users: number }]
    expect(seen).toHaveLength(users)
  })

  test('one user with methods, sessions, roles, activity and objects, and no secret', async () => {
    const bob = await newUser('bob')
    await office.server.call('POST', '/classes/Note', { ACL: { [bob.objectId]: { write: true } } }, master)
    const { body, text } = await ask(helper, 'GET', `/console/users/${bob.objectId}`)
    expect(body).toMatchObject({
      status: 'active',
      signInMethods: { password: true },
      objects: [{ className: 'Note', count: 1, isMore: false }],
    })
    expect(body.sessions).toHaveLength(1)
    expect(text).not.toContain(bob.token)
    expect(text).not.toMatch(/argon|_password|sessionToken|secret/)
  })

  test('disabling ends sessions and every sign-in; enabling brings the access list back', async () => {
    const bob = await newUser('bob')
    const name = `bob${office.count}`
    const acl = { '*': { read: true }, [bob.objectId]: { read: true, write: true } }
    await office.server.call('PUT', `/users/${bob.objectId}`, { ACL: acl }, master)
    expect((await ask(root, 'POST', `/console/users/${bob.objectId}/disable`, {})).body).toEqual({ status: 'disabled' })
    expect((await ask(bob, 'GET', '/users/me')).body.code).toBe(209)
    expect(
      (await office.server.call('POST', '/login', { username: name, password: `${name} password` })).status,
    ).toBeGreaterThanOrEqual(400)
    expect(await ids('filter=disabled')).toContain(bob.objectId)
    await ask(root, 'POST', `/console/users/${bob.objectId}/disable`, {})
    expect((await ask(root, 'POST', `/console/users/${bob.objectId}/enable`, {})).body).toEqual({ status: 'active' })
    expect((await office.server.call('GET', `/users/${bob.objectId}`, undefined, master)).body.ACL).toEqual(acl)
    expect(await logIn(name)).toBeTruthy()
    for (const target of [root, watcher])
      expect((await ask(root, 'POST', `/console/users/${target.objectId}/disable`, {})).body.reason).toBe(
        'operatorForbidden',
      )
  })

  test('an impersonated session is marked, short, weak, and never an operator’s', async () => {
    const bob = await newUser('bob')
    expect((await ask(root, 'POST', `/console/users/${watcher.objectId}/impersonate`, {})).body.reason).toBe(
      'operatorForbidden',
    )
    const { body } = await ask(root, 'POST', `/console/users/${bob.objectId}/impersonate`, {})
    const session: User = { objectId: bob.objectId, token: body.sessionToken as string }
    expect((await ask(session, 'GET', '/sessions/me')).body).toMatchObject({
      createdWith: { authProvider: 'operator' },
    })
    expect((await ask(session, 'GET', '/users/me')).body.objectId).toBe(bob.objectId)
    const change = await ask(session, 'PUT', `/users/${bob.objectId}`, { email: 'mine@evil.example' }, {})
    expect(change.body.reason).toBe('reauthenticationRequired')
    await grant(bob, 'admin')
    expect((await ask(session, 'GET', '/console')).status).toBe(404)
    await office.server.call('DELETE', `/console/operators/${bob.objectId}`, undefined, master)
    expect((await ask(bob, 'POST', '/console/impersonation/end', {}, {})).status).toBe(404)
    expect((await ask(session, 'POST', '/console/impersonation/end', {}, {})).status).toBe(200)
    expect((await ask(session, 'GET', '/users/me')).body.code).toBe(209)
    const again = await ask(root, 'POST', `/console/users/${bob.objectId}/impersonate`, {})
    office.server.clock.forward(3_601_000)
    expect((await ask({ ...bob, token: again.body.sessionToken as string }, 'GET', '/users/me')).body.code).toBe(209)
  })

  test('SEC-31: nor does one of a guest, who has no proof to give, change what opens the account', async () => {
    const { server } = office
    const { body: guest } = await server.call('POST', '/users', { authData: { anonymous: { id: randomUUID() } } })
    const { objectId } = guest as { objectId: string }
    const opened = await ask(root, 'POST', `/console/users/${objectId}/impersonate`, {})
    const asGuest = await server.call('POST', '/loginAs', { userId: objectId }, master)
    for (const token of [opened, asGuest].map(({ body }) => String(body.sessionToken))) {
      for (const body of [{ username: 'mine', password: 'a secret' }, { email: 'mine@evil.example' }]) {
        const change = await server.call('PUT', `/users/${objectId}`, body, { token })
        expect(change.body.reason).toBe('reauthenticationRequired')
      }
      expect((await server.call('DELETE', `/users/${objectId}`, undefined, { token })).status).toBe(403)
    }
    const own = { username: `guest-${objectId}`, password: 'a secret' }
    server.clock.forward(3_600_000)
    const kept = await server.call('PUT', `/users/${objectId}`, own, { token: String(guest.sessionToken) })
    expect(kept.status, kept.text).toBe(200)
  })

  test('acts in an impersonated session name the operator and the user', async () => {
    const bob = await newUser('bob')
    const { body } = await ask(root, 'POST', `/console/users/${bob.objectId}/impersonate`, {})
    const session: User = { objectId: bob.objectId, token: body.sessionToken as string }
    const made = await ask(session, 'POST', '/classes/Note', { text: 'x' }, {})
    await ask(session, 'PUT', `/users/${bob.objectId}`, { nickname: 'Bobby' }, {})
    await ask(session, 'POST', '/batch', {
      requests: [{ method: 'DELETE', path: `/server/classes/Note/${made.body.objectId}`, body: {} }],
    })
    await ask(session, 'POST', '/revokeOtherSessions', {}, {})
    await ask(bob, 'POST', '/classes/Note', { text: 'bob’s own' }, {})
    const rows = async () => {
      const log = await ask(root, 'GET', `/audit?actor=operator:${root.objectId}&limit=100`)
      return (log.body.results as { action: string; details: Record<string, unknown> }[])
        .filter(({ details }) => details.as === `user:${bob.objectId}`)
        .map(({ action }) => action)
    }
    await expect.poll(rows).toEqual(expect.arrayContaining(['createObject', 'updateUser', 'deleteObject']))
    expect((await rows()).filter((action) => action === 'createObject')).toHaveLength(1)
    const asUser = await ask(root, 'GET', `/audit?actor=user:${bob.objectId}&limit=100`)
    expect(asUser.body.results).toEqual([])
  })

  test('an operator’s act on an account is the operator’s in the audit log', async () => {
    const bob = await newUser('bob')
    await ask(root, 'POST', `/console/users/${bob.objectId}/disable`, {})
    const log = await ask(root, 'GET', `/audit?subject=${bob.objectId}&action=account.disableAccount`)
    expect(log.body.results).toMatchObject([{ actor: `operator:${root.objectId}` }])
  })

  test('a browser returns from an impersonation only to the operator’s own session', async () => {
    const bob = await newUser('bob')
    const cookies = (user: string, more = '') => ({
      'X-Countersign-Session': 'cookie',
      Cookie: `countersign=${encodeURIComponent(user)}${more}`,
    })
    const taken = (headers: Headers) =>
      Object.fromEntries(
        headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]?.split('=') as [string, string]),
      )
    const begun = await office.server.call(
      'POST',
      `/console/users/${bob.objectId}/impersonate`,
      {},
      { headers: { ...cookies(root.token), ...inConsole } },
    )
    expect(begun.status).toBe(200)
    expect(begun.text).not.toContain('sessionToken')
    const set = taken(begun.headers)
    expect(decodeURIComponent(set['countersign-operator'] ?? '')).toBe(root.token)
    const asBob = decodeURIComponent(set.countersign ?? '')
    const end = (operator: string) =>
      office.server.call(
        'POST',
        '/console/impersonation/end',
        {},
        { headers: cookies(asBob, `; countersign-operator=${encodeURIComponent(operator)}`) },
      )
    const ended = await end(root.token)
    expect(decodeURIComponent(taken(ended.headers).countersign ?? '')).toBe(root.token)
    const second = await office.server.call(
      'POST',
      `/console/users/${bob.objectId}/impersonate`,
      {},
      { headers: { ...cookies(root.token), ...inConsole } },
    )
    const other = decodeURIComponent(taken(second.headers).countersign ?? '')
    const foreign = await office.server.call(
      'POST',
      '/console/impersonation/end',
      {},
      { headers: cookies(other, `; countersign-operator=${encodeURIComponent(ann.token)}`) },
    )
    expect(decodeURIComponent(taken(foreign.headers).countersign ?? '')).not.toBe(ann.token)
  })

  test('a user is exported and deleted; operators are not deleted', async () => {
    const bob = await newUser('bob')
    const exported = await ask(root, 'GET', `/console/users/${bob.objectId}/export`)
    expect(exported.body).toMatchObject({ user: { objectId: bob.objectId } })
    expect((await ask(root, 'DELETE', `/console/users/${watcher.objectId}`)).body.reason).toBe('operatorForbidden')
    expect((await ask(root, 'DELETE', `/console/users/${bob.objectId}`)).status).toBe(200)
    expect((await ask(root, 'GET', `/console/users/${bob.objectId}`)).status).toBe(404)
  })
})
