import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask, newUser } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)
const master = { master: true }

describe('permissions of each role', () => {
  test('an administrator reads and writes like the master key, and the audit log names them', async () => {
    const { body } = await office.server.call('POST', '/classes/Secret', { text: 'x', ACL: {} }, master)
    const path = `/classes/Secret/${body.objectId}`
    expect((await ask(root, 'GET', path, undefined, {})).status).toBe(404)
    expect((await ask(root, 'GET', path)).status).toBe(200)
    expect((await ask(root, 'PUT', path, { text: 'y' })).status).toBe(200)
    expect((await ask(root, 'DELETE', path)).status).toBe(200)
    await expect
      .poll(async () => {
        const log = await ask(root, 'GET', `/audit?actor=operator:${root.objectId}&limit=100`)
        return (log.body.results as { action: string }[]).map(({ action }) => action)
      })
      .toEqual(expect.arrayContaining(['updateObject', 'deleteObject']))
  })

  test('the request log marks the console’s own reads: no writes, no reads of users who send its header', async () => {
    const requests = () =>
      office.server.logs
        .map((line) => JSON.parse(line))
        .filter(({ msg, path }) => msg === 'request' && String(path).includes('/classes/Marked'))
    await ask(root, 'POST', '/classes/Marked', { text: 'x' })
    await ask(root, 'GET', '/classes/Marked')
    await ask(root, 'POST', '/classes/Marked', { _method: 'GET' })
    await ask(ann, 'GET', '/classes/Marked')
    await expect.poll(requests).toHaveLength(4)
    expect(requests().map(({ console: isOwn }) => isOwn)).toEqual([undefined, true, true, undefined])
  })

  test('a viewer reads everything and writes nothing', async () => {
    const { body } = await office.server.call('POST', '/classes/Secret', { text: 'x', ACL: {} }, master)
    const path = `/classes/Secret/${body.objectId}`
    for (const read of [
      path,
      '/schemas',
      '/audit',
      '/console/settings',
      '/console/users',
      '/aggregate/Secret?distinct=text',
    ])
      expect((await ask(watcher, 'GET', read)).status, read).toBe(200)
    const writes = [
      ['PUT', path, { text: 'y' }],
      ['DELETE', path],
      ['POST', '/classes/Secret', {}],
      ['POST', '/schemas/New', { fields: {} }],
      ['POST', `/console/users/${ann.objectId}/disable`, {}],
      ['POST', `/console/users/${ann.objectId}/impersonate`, {}],
      ['PUT', `/console/operators/${watcher.objectId}`, { role: 'admin' }],
      ['POST', '/loginAs', { userId: ann.objectId }],
      ['GET', '/outbox'],
      ['GET', `/console/users/${ann.objectId}/export`],
    ] as const
    for (const [method, path, body] of writes) {
      const answers = [await ask(watcher, method, path, body)]
      const requests = [{ method, path: `/server${path}`, body: body ?? {} }]
      const batch = await ask(watcher, 'POST', '/batch', { requests })
      for (const { status } of answers) expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      expect(batch.text, `${method} ${path}`).not.toContain('success')
    }
    expect((await office.server.call('GET', path, undefined, master)).body.text).toBe('x')
  })

  test('support helps users, sees no data of the application, and cannot reach operators', async () => {
    const bob = await newUser('bob', { email: `bob${office.count}@example.com` })
    const { body } = await office.server.call('POST', '/classes/Secret', { text: 'x', ACL: {} }, master)
    expect((await ask(helper, 'GET', '/console/users')).status).toBe(200)
    expect((await ask(helper, 'GET', `/console/users/${bob.objectId}`)).status).toBe(200)
    const refused = [
      ['GET', `/classes/Secret/${body.objectId}`],
      ['GET', '/schemas'],
      ['GET', '/audit'],
      ['GET', '/console/settings'],
      ['GET', '/console/access?className=Secret&operation=get'],
      ['GET', `/console/users/${bob.objectId}/export`],
      ['DELETE', `/console/users/${bob.objectId}`],
      ['PUT', `/users/${bob.objectId}`, { password: 'taken over' }],
      ['POST', `/console/users/${bob.objectId}/impersonate`, {}],
      ['PUT', `/console/operators/${helper.objectId}`, { role: 'admin' }],
      ['POST', '/console/operatorLinks', {}],
    ] as const
    for (const [method, path, sent] of refused)
      expect((await ask(helper, method, path, sent)).status, path).toBeGreaterThanOrEqual(400)
    for (const action of ['disable', 'enable', 'signOut', 'verifyEmail', 'sendReset']) {
      expect((await ask(helper, 'POST', `/console/users/${bob.objectId}/${action}`, {})).status, action).toBe(200)
      const ofAdmin = await ask(helper, 'POST', `/console/users/${root.objectId}/${action}`, {})
      expect(ofAdmin.body.reason, action).toBe('operatorForbidden')
    }
  })

  test('a dangerous action needs a recent proof, in every form', async () => {
    const bob = await newUser('bob')
    const { body } = await office.server.call('POST', '/classes/Secret', { text: 'x', ACL: {} }, master)
    office.server.clock.forward(901_000)
    const dangerous = [
      ['DELETE', `/classes/Secret/${body.objectId}`],
      ['DELETE', '/purge/Secret'],
      ['DELETE', '/schemas/Secret'],
      ['PUT', `/users/${bob.objectId}`, { password: 'taken over' }],
      ['PUT', `/classes/_User/${bob.objectId}`, { password: 'taken over' }],
      ['POST', '/roles', { name: 'made in the console', ACL: {} }],
      ['POST', '/classes/_Role', { name: 'made in the console', ACL: {} }],
      ['POST', `/console/users/${bob.objectId}/impersonate`, {}],
      ['POST', `/console/users/${bob.objectId}/disable`, {}],
      ['DELETE', `/console/users/${bob.objectId}`],
      ['PUT', `/console/operators/${bob.objectId}`, { role: 'admin' }],
      ['POST', '/console/operatorLinks', {}],
      ['PUT', '/config', { params: { a: 1 } }],
      ['POST', '/functions/any', {}],
      ['GET', `/console/users/${bob.objectId}/export`],
    ] as const
    for (const [method, path, sent] of dangerous) {
      const about = `${method} ${path}`
      expect((await ask(root, method, path, sent)).body.reason, about).toBe('reauthenticationRequired')
      const older = await ask(root, 'POST', path, { ...sent, _method: method })
      expect(older.body.reason, about).toBe('reauthenticationRequired')
      const requests = [{ method, path: `/server${path}`, body: sent ?? {} }]
      expect((await ask(root, 'POST', '/batch', { requests })).text, about).not.toContain('success')
    }
    expect((await ask(root, 'PUT', `/classes/Secret/${body.objectId}`, { text: 'y' })).status).toBe(200)
    expect((await ask(root, 'POST', '/loginAs', { userId: bob.objectId })).body.reason).toBe('operatorForbidden')
  })

  test('live queries know no operators', async () => {
    const preflight = await fetch(`${office.server.serverUrl}/console`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).not.toContain('X-Countersign-Console')
  })
})
