import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { inConsole, openConsole, type ConsoleUser as User } from '../../testing/openConsole.ts'
import { createOperatorLink, findFirstOperator } from '../../users/operators.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask, grant, newUser } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }
const pointer = (objectId: string) => ({ __type: 'Pointer', className: '_User', objectId })

describe('operators', () => {
  test('the console is not there for visitors, users, and operators who do not ask for it', async () => {
    const nothing = await ask(ann, 'GET', '/consoles')
    for (const [user, headers] of [
      [undefined, inConsole],
      [ann, inConsole],
      [root, {}],
      [root, { 'X-Countersign-Console': '0' }],
    ] as const) {
      const answer = await ask(user, 'GET', '/console', undefined, headers)
      expect(answer.status).toBe(404)
      expect({ ...answer.body, error: '' }).toEqual({ ...nothing.body, error: '' })
    }
    expect((await ask(root, 'GET', '/console')).body).toMatchObject({ role: 'admin' })
    expect((await ask(helper, 'GET', '/console')).body).toMatchObject({
      role: 'support',
      areas: ['overview', 'users', 'signIns', 'roles'],
    })
    expect((await ask(watcher, 'GET', '/console')).body).toMatchObject({ role: 'viewer' })
  })

  test('application roles called admin grant nothing, however assigned', async () => {
    const users = { __op: 'AddRelation', objects: [pointer(ann.objectId)] }
    const ACL = { '*': { read: true, write: true } }
    for (const name of ['admin', 'support', 'viewer']) {
      // Made by a client, by the master key, and held through another role.
      const own = await office.server.call('POST', '/roles', { name, ACL, users }, { token: ann.token })
      expect(own.status).toBe(201)
      const roles = {
        __op: 'AddRelation',
        objects: [{ __type: 'Pointer', className: '_Role', objectId: own.body.objectId }],
      }
      await office.server.call('POST', '/roles', { name: `over ${name}`, ACL: {}, roles, users }, master)
      expect((await ask(ann, 'GET', '/console')).status).toBe(404)
    }
    expect((await ask(ann, 'GET', '/aggregate/Doc?distinct=x')).status).toBe(403)
  })

  test('a user’s writes make no operator', async () => {
    const bodies = [
      ['PUT', `/users/${ann.objectId}`, { operator: 'admin', role: 'admin', isMaster: true, operators: 'admin' }],
      ['PUT', `/console/operators/${ann.objectId}`, { role: 'admin' }],
      ['POST', '/console/operatorLinks', { role: 'admin' }],
      ['POST', '/console/claim', { token: 'guessed' }],
      ['POST', '/classes/countersign.operators', { user: ann.objectId, role: 'admin' }],
    ] as const
    for (const [method, path, body] of bodies) {
      await ask(ann, method, path, body)
      const requests = [{ method, path: `/server${path}`, body }]
      await ask(ann, 'POST', '/batch', { requests })
      await ask(ann, 'POST', path, { ...body, _method: method })
    }
    expect((await ask(ann, 'GET', '/console')).status).toBe(404)
    const [row] = await office.server.context.db.query(sql`select count(*)::int as count from countersign.operators`)
    expect(row).toEqual({ count: 3 })
  })

  test('a session that somebody else opened for an operator has no rights', async () => {
    const opened = await office.server.call('POST', '/loginAs', { userId: root.objectId }, master)
    const borrowed = { ...root, token: opened.body.sessionToken as string }
    expect((await ask(borrowed, 'GET', '/users/me')).status).toBe(200)
    expect((await ask(borrowed, 'GET', '/console')).status).toBe(404)
    await office.server.context.db.query(
      sql`update "_Session" set "_confirmed" = ${office.server.clock.now()} where "user" = ${root.objectId}`,
    )
    expect((await ask(borrowed, 'GET', '/console')).status).toBe(404)
  })

  test('rights end with the next request, and with the account', async () => {
    const bob = await newUser('bob')
    await grant(bob, 'admin')
    expect((await ask(bob, 'GET', '/console/settings')).status).toBe(200)
    expect((await ask(bob, 'DELETE', `/console/operators/${bob.objectId}`)).status).toBe(200)
    const requests = [
      { method: 'GET', path: '/server/console/settings' },
      { method: 'GET', path: '/server/audit' },
    ]
    expect((await ask(bob, 'POST', '/batch', { requests })).text).not.toContain('success')
    expect((await ask(bob, 'GET', '/console')).status).toBe(404)
    await grant(bob, 'admin')
    await office.server.call('DELETE', `/users/${bob.objectId}`, undefined, master)
    const left = await office.server.context.db.query(
      sql`select from countersign.operators where "user" = ${bob.objectId}`,
    )
    expect(left).toEqual([])
  })

  test('the account of the last administrator is not deleted while there are other operators', async () => {
    const remove = (options: object) => office.server.call('DELETE', `/users/${root.objectId}`, undefined, options)
    for (const options of [{ token: root.token }, master]) expect((await remove(options)).body.reason).toBe('lastAdmin')
    const two = await newUser('two')
    await grant(two, 'admin')
    const gone = await office.server.call('DELETE', `/users/${two.objectId}`, undefined, { token: two.token })
    expect(gone.status, gone.text).toBe(200)
    // An account waiting for its deletion does not count as a remaining administrator.
    expect((await remove({ token: root.token })).body.reason).toBe('lastAdmin')
  })

  test('the account of an operator is not merged into another', async () => {
    const other = await office.logIn('helper')
    const begun = await office.server.call('POST', '/auth/merges', { sessionToken: other }, { token: ann.token })
    expect(begun.body.reason, begun.text).toBe('otherAccountOperator')
    expect((await ask(helper, 'GET', '/console')).status).toBe(200)
  })

  test('the last administrator stays one', async () => {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { role: 'viewer' }],
    ] as const) {
      const answer = await ask(root, method, `/console/operators/${root.objectId}`, body)
      expect(answer.body.reason).toBe('lastAdmin')
    }
    const two = await newUser('two')
    await grant(two, 'admin')
    const answers = await Promise.all([
      ask(root, 'DELETE', `/console/operators/${two.objectId}`),
      ask(two, 'DELETE', `/console/operators/${root.objectId}`),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await grant(root, 'admin')
    await office.server.call('DELETE', `/console/operators/${two.objectId}`, undefined, master)
  })

  test('a second factor that the operator of the server demands of a role is demanded by the console', async () => {
    const strict = await createTestServer({ secondFactor: { required: { roles: ['admin'] } } }, office.server.database)
    try {
      const call = (user: User) => strict.call('GET', '/console', undefined, { token: user.token, headers: inConsole })
      expect((await call(root)).body.reason).toBe('operatorSecondFactor')
      expect((await call(watcher)).status).toBe(200)
      expect((await call(ann)).status).toBe(404)
      const signIn = await strict.call('POST', '/login', { username: 'root', password: 'root password' })
      expect(signIn.body.reason).toBe('secondFactorSetUpRequired')
    } finally {
      await strict.stop()
    }
  })
})

describe('one-time links', () => {
  const claim = (user: User | undefined, url: string) =>
    ask(user, 'POST', '/console/claim', { token: url.split('#')[1] }, {})

  test('a link makes one operator, once, and is stored as a hash only', async () => {
    const made = await ask(root, 'POST', '/console/operatorLinks', { role: 'support' })
    expect(made.status).toBe(201)
    const url = made.body.url as string
    const rows = await office.server.context.db.query(
      sql`select to_jsonb(l)::text as text from countersign.operator_links l`,
    )
    expect(JSON.stringify(rows)).not.toContain(url.split('#')[1])
    expect((await claim(undefined, url)).body.code).toBe(209)
    const users = await Promise.all(Array.from({ length: 4 }, () => newUser('claims')))
    const answers = await Promise.all(users.map((user) => claim(user, url)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { body, status } of answers) if (status !== 200) expect(body.reason).toBe('operatorLinkExpired')
    await office.server.context.db.query(
      sql`delete from countersign.operators where role = 'support' and "user" <> ${helper.objectId}`,
    )
  })

  test('a link ends after a day; one of the first start ends with the first operator', async () => {
    const { url } = await createOperatorLink(office.server.context, 'viewer')
    office.server.clock.forward(24 * 3_600_000 + 1000)
    const late = await newUser('late')
    expect((await claim(late, url)).body.reason).toBe('operatorLinkExpired')
    expect(await findFirstOperator(office.server.context)).toBeUndefined()
  })

  test('every server and every start prints the same first link, until it expires or there is an operator', async () => {
    const one = await createTestServer({})
    const two = await createTestServer({}, one.database)
    try {
      const urlOf = async (on: TestServer) => {
        const first = await findFirstOperator(on.context)
        return typeof first === 'object' ? first.link.url.split('#')[1] : first
      }
      const [first, ...others] = await Promise.all([one, two, one, two].map(urlOf))
      expect(others).toEqual([first, first, first])
      const rows = await one.context.db.query(sql`select to_jsonb(l)::text as text from countersign.operator_links l`)
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain(first)
      one.clock.forward(24 * 3_600_000 + 1000)
      const second = await urlOf(one)
      expect(second).not.toBe(first)
      const made = await one.signUp('first')
      // Accounts without an operator, before the link is used: it is printed again.
      expect(await urlOf(one)).toBe(second)
      const call = (token: string | undefined) => one.call('POST', '/console/claim', { token }, { token: made.token })
      expect((await call(first)).body.reason).toBe('operatorLinkExpired')
      await one.call('PUT', `/console/operators/${made.objectId}`, { role: 'admin' }, { master: true })
      expect(await urlOf(one)).toBeUndefined()
      expect((await call(second)).body.reason).toBe('operatorLinkExpired')
      await one.call('DELETE', `/console/operators/${made.objectId}`, undefined, { master: true })
      expect(await urlOf(one)).toBe('missing')
    } finally {
      await two.stop()
      await one.stop()
    }
  })

  test('guests and borrowed sessions cannot use one, and it stays for its owner', async () => {
    const { url } = await createOperatorLink(office.server.context, 'viewer')
    const guest = await office.server.call('POST', '/users', { authData: { anonymous: { id: 'a'.repeat(36) } } })
    const opened = await office.server.call('POST', '/loginAs', { userId: ann.objectId }, master)
    for (const token of [guest.body.sessionToken, opened.body.sessionToken] as string[]) {
      expect((await claim({ objectId: '', token }, url)).body.reason).toBe('operatorForbidden')
    }
    const owner = await newUser('owner')
    expect((await claim(owner, url)).body).toEqual({ role: 'viewer' })
    await office.server.call('DELETE', `/console/operators/${owner.objectId}`, undefined, master)
  })
})
