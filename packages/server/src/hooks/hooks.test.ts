import { CountersignError, type WireFields } from '@countersign/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import type { HookEvent, HookHandler, HookName } from '../context/Registry.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()
beforeEach(() => server.context.registry.hooks.clear())

const hook = (name: HookName, className: string, ...handlers: HookHandler[]) =>
  server.context.registry.hooks.set(`${name} ${className}`, handlers)

/** Keeps what it receives. */
const listen = (name: HookName, className: string) => {
  const heard: HookEvent[] = []
  hook(name, className, async (event) => {
    heard.push(event)
    return undefined
  })
  return heard
}

const refuse: HookHandler = async () => {
  throw new CountersignError('ValidationError', 'not now')
}

test('several hooks of one kind run one after another, each with what the one before made of it', async () => {
  const append =
    (letter: string): HookHandler =>
    async ({ object }) => ({ object: { text: `${object?.text ?? ''}${letter}` } })
  hook('beforeSave', 'Chain', append('a'), append('b'), async () => undefined, append('c'))
  const { body } = await server.call('POST', '/classes/Chain', { text: '-' })
  expect(body.text).toBe('-abc')
})

test('P1: a hook’s changes to its input count only if it returns them', async () => {
  hook('beforeSave', 'Copy', async (event) => {
    if (event.object) event.object.text = 'changed in place'
    return undefined
  })
  const { body } = await server.call('POST', '/classes/Copy', { text: 'as sent' })
  expect((await server.call('GET', `/classes/Copy/${body.objectId}`)).body.text).toBe('as sent')
  hook('beforeSave', 'Copy', async () => ({ object: JSON.parse('{ "__proto__": { "x": 1 } }') as WireFields }))
  expect((await server.call('POST', '/classes/Copy', { text: 'x' })).status).toBe(400)
})

test('a hook may set fields that the caller may not add, and operations', async () => {
  await server.call(
    'POST',
    '/schemas/Closed',
    {
      fields: { n: { type: 'Number' } },
      classLevelPermissions: { create: { '*': true }, update: { '*': true }, get: { '*': true } },
    },
    { master: true },
  )
  hook('beforeSave', 'Closed', async () => ({ object: { added: 'by a hook', n: { __op: 'Increment', amount: 2 } } }))
  expect((await server.call('POST', '/classes/Closed', { other: 1 })).body.code).toBe(119)
  const { body } = await server.call('POST', '/classes/Closed', {})
  expect(body).toMatchObject({ added: 'by a hook' })
  const path = `/classes/Closed/${body.objectId}`
  expect((await server.call('PUT', path, {})).body).toMatchObject({ n: 4 })
})

test('a change that a hook takes part in loses no other change', async () => {
  hook('beforeSave', 'Counter', async ({ object }) => ({ object: { double: Number(object?.n) * 2 } }))
  const { body } = await server.call('POST', '/classes/Counter', { n: 0 })
  const path = `/classes/Counter/${body.objectId}`
  const one = () => server.call('PUT', path, { n: { __op: 'Increment', amount: 1 } })
  await Promise.all(Array.from({ length: 10 }, one))
  expect((await server.call('GET', path)).body).toMatchObject({ n: 10, double: 20 })
})

test('hooks do not run for callers without permission to write or read', async () => {
  const heard = [listen('beforeSave', 'Own'), listen('beforeDelete', 'Own')]
  const { objectId, token } = await server.signUp('owner')
  const ACL = { [objectId]: { read: true, write: true } }
  const { body } = await server.call('POST', '/classes/Own', { ACL }, { token })
  const path = `/classes/Own/${body.objectId}`
  expect((await server.call('PUT', path, { n: 1 })).status).toBe(404)
  expect((await server.call('DELETE', path)).status).toBe(404)
  expect(heard.map(({ length }) => length)).toEqual([1, 0])
  await server.call('PUT', '/schemas/Own', { classLevelPermissions: { find: {}, get: {} } }, { master: true })
  const asked = listen('beforeFind', 'Own')
  expect((await server.call('GET', '/classes/Own')).body.code).toBe(119)
  expect((await server.call('GET', path)).body.code).toBe(119)
  expect(asked).toEqual([])
})

test('a repeated request runs its hooks once', async () => {
  const heard = [listen('beforeSave', 'Once'), listen('afterSave', 'Once')]
  const headers = { 'X-Parse-Request-Id': 'the same' }
  const [first, second] = [
    await server.call('POST', '/classes/Once', { n: 1 }, { headers }),
    await server.call('POST', '/classes/Once', { n: 1 }, { headers }),
  ]
  expect(second.body).toEqual(first.body)
  expect(heard.map(({ length }) => length)).toEqual([1, 1])
})

test('a user who comes by wallet passes the hooks of sign-up, then those of sign-in', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const countUsers = async () => (await server.call('GET', '/users?count=1&limit=0', undefined, { master: true })).body
  const before = await countUsers()
  hook('beforeSignUp', '_User', refuse)
  await expect(createWalletUser(server, account)).rejects.toThrow('not now')
  expect(await countUsers()).toEqual(before)

  hook('beforeSignUp', '_User', async () => ({ object: { plan: 'free', emailVerified: false } }))
  const heard = {
    save: listen('beforeSave', '_User'),
    signedUp: listen('afterSignUp', '_User'),
    asked: listen('beforeSignIn', '_User'),
    signedIn: listen('afterSignIn', '_User'),
  }
  const { objectId, username } = await createWalletUser(server, account)
  expect(heard.save).toMatchObject([{ object: { username } }])
  expect(heard.signedUp).toMatchObject([
    { object: { objectId, plan: 'free', accounts: [account.address.toLowerCase()] } },
  ])
  expect([heard.asked.length, heard.signedIn.length]).toEqual([0, 0])

  const again = await createWalletUser(server, account)
  expect(heard.asked).toMatchObject([{ object: { objectId, plan: 'free' } }])
  expect(heard.signedIn).toMatchObject([{ object: { objectId } }])
  hook('beforeSignIn', '_User', refuse)
  await expect(createWalletUser(server, account)).rejects.toThrow('not now')
  expect((await server.call('GET', '/users/me', undefined, { token: again.token })).status).toBe(200)
})

test('a wallet that a hook refuses is not linked', async () => {
  const user = await createWalletUser(server)
  const link = async () => {
    const second = privateKeyToAccount(generatePrivateKey())
    const proof = await answerChallenge(server, second, 'link', { token: user.token })
    return server.call('POST', '/auth/wallets', proof, { token: user.token, headers: installation })
  }
  hook('beforeLink', '_User', refuse)
  expect((await link()).body).toMatchObject({ code: 142, error: 'not now' })
  server.context.registry.hooks.clear()
  const linked = listen('afterLink', '_User')
  expect((await link()).status).toBeLessThan(300)
  expect(linked).toMatchObject([{ object: { namespace: 'eip155' }, caller: { user: { objectId: user.objectId } } }])
  expect((await server.call('GET', '/auth/wallets', undefined, { token: user.token })).body.results).toHaveLength(2)
})

test('P16: a password reset that a hook rejects sends no mail, and its response reveals nothing', async () => {
  await server.signUp('forgetful', { email: 'forgetful@example.com' })
  const ask = async () => {
    const answer = await server.call('POST', '/requestPasswordReset', { email: 'forgetful@example.com' })
    await server.context.background.settle()
    return answer
  }
  const countMails = async () =>
    ((await server.context.mail.listOutbox?.()) ?? []).filter(({ subject }) => subject.includes('Reset your password'))
      .length
  hook('beforePasswordReset', '_User', refuse)
  expect(await ask()).toMatchObject({ status: 200, body: {} })
  expect(await countMails()).toBe(0)
  const heard = listen('beforePasswordReset', '_User')
  await ask()
  expect(heard).toMatchObject([{ object: { username: 'forgetful' } }])
  expect(await countMails()).toBe(1)
})

test('a sign-up that meets a taken name in its hook is refused, and leaves nothing', async () => {
  await server.signUp('taken')
  hook('beforeSave', '_User', async () => ({ object: { username: 'taken' } }))
  const { status, body } = await server.call('POST', '/users', { username: 'fresh', password: 'p' })
  expect([status, body.code]).toEqual([400, 202])
  server.context.registry.hooks.clear()
  await server.signUp('fresh')
})

test('$relatedTo asks the hooks of the class that owns the relation', async () => {
  const master = { master: true }
  const { body: song } = await server.call('POST', '/classes/Song', { title: 'one' }, master)
  const pointer = (className: string, objectId: unknown) => ({ __type: 'Pointer', className, objectId })
  const songs = { __op: 'AddRelation', objects: [pointer('Song', song.objectId)] }
  const { body: album } = await server.call('POST', '/classes/Album', { songs, isOpen: false }, master)
  const { body: open } = await server.call('POST', '/classes/Album', { songs, isOpen: true }, master)
  const ask = async (objectId: unknown, more: object = {}) => {
    const where = { $relatedTo: { object: pointer('Album', objectId), key: 'songs', ...more } }
    return (await server.call('GET', `/classes/Song?where=${encodeURIComponent(JSON.stringify(where))}`)).body
  }
  expect((await ask(album.objectId)).results).toHaveLength(1)
  hook('beforeFind', 'Album', async ({ query }) => ({
    query: { ...query, where: { ...(query?.where as WireFields), isOpen: true } },
  }))
  expect((await ask(album.objectId)).results).toEqual([])
  expect((await ask(album.objectId, { where: {} })).results).toEqual([])
  expect((await ask(open.objectId)).results).toHaveLength(1)
  hook('beforeFind', 'Album', refuse)
  expect((await ask(open.objectId)).code).toBe(142)
})
