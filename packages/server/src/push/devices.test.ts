import { expect, test } from 'vitest'
import type { PushAdapter, PushDevice } from '../config/pushSettings.ts'
import { serveTests } from '../testing/serveTests.ts'

const sent: PushDevice[] = []
const adapter: PushAdapter = {
  getValidPushTypes: () => ['ios'],
  async send(_message, devices) {
    sent.push(...devices)
    return devices.map(() => ({ transmitted: true }))
  },
}
const server = serveTests({ push: { adapter } })

const pointer = (objectId: string) => ({ __type: 'Pointer', className: '_User', objectId })

async function register(installationId: string, user: string | undefined, options: object, more: object = {}) {
  const fields = { installationId, deviceType: 'ios', deviceToken: `token-${installationId}`, channels: ['news'] }
  const answer = await server.call(
    'POST',
    '/installations',
    { ...fields, ...(user && { user: pointer(user) }), ...more },
    options,
  )
  expect(answer.status, answer.text).toBeLessThan(300)
  return String(answer.body.objectId)
}

/** The devices that a push reaches. */
async function reached(where: object): Promise<string[]> {
  sent.length = 0
  await server.call('POST', '/push', { where, data: { alert: 'x' } }, { master: true })
  await server.context.background.settle()
  return sent.map(({ installationId }) => String(installationId)).sort()
}

async function signIn(name: string, installationId?: string) {
  const headers: Record<string, string> = installationId ? { 'X-Parse-Installation-Id': installationId } : {}
  const { body } = await server.call('POST', '/login', { username: name, password: `${name} password` }, { headers })
  return String(body.sessionToken)
}

test.each([
  ['sign out all others', (token: string) => server.call('POST', '/revokeOtherSessions', {}, { token })],
  [
    'a new password',
    (token: string, id: string) => server.call('PUT', `/users/${id}`, { password: 'a new password' }, { token }),
  ],
  ['deletion', (token: string, id: string) => server.call('DELETE', `/users/${id}`, undefined, { token })],
])('SEC-41: a device of a stolen session gets nothing after %s', async (kind, end) => {
  const name = `owner ${kind.replaceAll(' ', '')}`
  const owner = await server.signUp(name)
  const thief = await signIn(name)
  const id = kind.replaceAll(' ', '')
  await register(`thief-${id}`, owner.objectId, { token: thief })
  await register(`channel-${id}`, undefined, { token: thief }, { channels: [`to-${owner.objectId}`] })
  const toOwner = { user: pointer(owner.objectId) }
  expect(await reached(toOwner)).toEqual([`thief-${id}`])
  const ended = await end(owner.token, owner.objectId)
  expect(ended.status, ended.text).toBe(200)
  expect(await reached(toOwner)).toEqual([])
  expect(await reached({ channels: `to-${owner.objectId}` })).toEqual([])
  // Told again without a session, it is a guest's device and no longer the user's.
  await register(`thief-${id}`, undefined, {})
  expect(await reached(toOwner)).toEqual([])
})

test('SEC-41: after a sign-out there the device gets no pushes of the account; a thief’s sign-out has no such effect', async () => {
  const owner = await server.signUp('leaver')
  const token = await signIn('leaver', 'phone')
  await register('phone', owner.objectId, { token })
  await server.call('POST', '/logout', {}, { token })
  expect(await reached({ user: pointer(owner.objectId) })).toEqual([])
  // Signed in again on the same phone, without another word of the device, as older clients do.
  await signIn('leaver', 'phone')
  expect(await reached({ user: pointer(owner.objectId) })).toEqual(['phone'])
})

test('SEC-41: devices of older installations, and of guests, go on as they were', async () => {
  await register('guest', undefined, {}, { channels: ['broadcast'] })
  const owner = await server.signUp('former')
  const { body } = await server.call(
    'POST',
    '/installations',
    {
      installationId: 'former',
      deviceType: 'ios',
      deviceToken: 'f',
      channels: ['broadcast'],
      user: pointer(owner.objectId),
    },
    { master: true },
  )
  expect(body.objectId).toBeDefined()
  expect(await reached({ channels: 'broadcast' })).toEqual(['former', 'guest'])
})

test('SEC-54: only the device, its user and the master key see a device', async () => {
  const ann = await server.signUp('ann')
  const bob = await server.signUp('bob')
  const id = await register('ann-phone', ann.objectId, { token: ann.token })
  const see = (options: object, path = `/installations/${id}`) => server.call('GET', path, undefined, options)
  for (const options of [{}, { token: bob.token }]) {
    expect((await see(options)).status).toBe(404)
    expect((await see(options, `/classes/_Installation/${id}`)).status).toBe(404)
    for (const path of ['/installations', '/classes/_Installation']) {
      const asked = await see(options, `${path}?where=${encodeURIComponent(JSON.stringify({ objectId: id }))}`)
      expect(asked.body.code).toBe(119)
    }
    const device = { __type: 'Pointer', className: '_Installation', objectId: id }
    const { body } = await server.call('POST', '/classes/Peek', { device }, options)
    const peek = await see(options, `/classes/Peek/${body.objectId}?include=device`)
    expect(peek.text).not.toContain('token-ann-phone')
  }
  expect((await see({ token: ann.token })).body.deviceToken).toBe('token-ann-phone')
  expect((await see({ headers: { 'X-Parse-Installation-Id': 'ANN-phone' } })).status).toBe(200)
  expect((await see({ master: true })).status).toBe(200)
})

test('SEC-54: another user does not redirect the pushes of a device', async () => {
  const ann = await server.signUp('ann2')
  const bob = await server.signUp('bob2')
  const id = await register('ann2-phone', ann.objectId, { token: ann.token })
  const change = { deviceToken: 'of bob' }
  const put = (fields: object, options: object) => server.call('PUT', `/installations/${id}`, fields, options)
  expect((await put(change, { token: bob.token })).status).toBe(404)
  expect((await put(change, {})).status).toBe(404)
  const same = { ...change, installationId: 'ann2-phone' }
  expect((await put(same, { token: bob.token })).body.code).toBe(119)
  expect((await server.call('POST', '/installations', same, { token: bob.token })).body.code).toBe(119)
  expect((await put({ badge: 1 }, { token: ann.token })).status).toBe(200)
  // After she signs out, the phone belongs to the user who signs in there.
  await server.call('POST', '/logout', {}, { token: ann.token })
  expect((await server.call('POST', '/installations', same, { token: bob.token })).status).toBe(200)
  expect(await reached({ user: pointer(ann.objectId) })).toEqual([])
})
