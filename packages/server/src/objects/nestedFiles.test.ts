import type { WireFields } from '@countersign/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const master = { master: true }
const script = 'javascript:alert(document.cookie)'
const ours = `${'0123456789abcdef'.repeat(2)}_cat.png`
const evil = { __type: 'File', name: 'cat.png', url: script }

let ann: { objectId: string; token: string }
const server = serveTests()
beforeAll(async () => {
  ann = await server.signUp('ann')
})

describe('SEC-17: the address of a file is one wherever the file stands', () => {
  const forms: [string, object][] = [
    ['in a list', { list: [1, 'text', null, evil] }],
    ['in an object', { map: { a: { b: [{ c: evil }] } } }],
    ['in another file', { map: { a: { ...evil, name: 'x', extra: { deep: evil } } } }],
    ['without a name', { list: [{ __type: 'File', url: script }] }],
    ['with a name that is none', { list: [{ __type: 'File', name: { a: evil }, url: script }] }],
    ['as data', { list: [{ ...evil, url: 'data:text/html,<script>alert(1)</script>//javascript' }] }],
    ['with a space before', { list: [{ ...evil, url: ` ${script}` }] }],
    ['with an address that is none', { list: [{ ...evil, url: { javascript: 1 } }] }],
    ['with the name of a stored one', { list: [{ ...evil, name: ours }] }],
  ]

  test.each(forms)('%s', async (_form, body) => {
    const { body: made, text } = await server.call('POST', '/classes/Post', body)
    const path = `/classes/Post/${made.objectId}`
    const pointing = await server.call('POST', '/classes/Link', {
      to: { __type: 'Pointer', className: 'Post', objectId: made.objectId },
    })
    const stages = encodeURIComponent(JSON.stringify([{ $match: { objectId: made.objectId } }]))
    const answers = [
      text,
      (await server.call('GET', path)).text,
      (await server.call('GET', '/classes/Post')).text,
      (await server.call('GET', `/classes/Link/${pointing.body.objectId}?include=to`)).text,
      (await server.call('GET', `/aggregate/Post?pipeline=${stages}`, undefined, master)).text,
      (await server.call('GET', '/aggregate/Post?distinct=list', undefined, master)).text,
      (await server.call('GET', '/aggregate/Post?distinct=map', undefined, master)).text,
    ]
    for (const answer of answers) expect(answer).not.toContain('javascript')
  })

  test('put together by parts, and by operations', async () => {
    const { body } = await server.call('POST', '/classes/Post', { map: {}, list: [] })
    const path = `/classes/Post/${body.objectId}`
    const parts = { 'map.f.__type': 'File', 'map.f.name': 'x', 'map.f.url': script }
    expect((await server.call('PUT', path, parts)).text).not.toContain('javascript')
    for (const __op of ['Add', 'AddUnique', 'Remove']) {
      const objects = __op === 'Remove' ? [] : [evil]
      const answer = await server.call('PUT', path, { list: { __op, objects } })
      expect([answer.status, answer.text.includes('javascript')]).toEqual([200, false])
    }
    const requests = [{ method: 'PUT', path: `/server${path}`, body: { list: { __op: 'Add', objects: [evil] } } }]
    expect((await server.call('POST', '/batch', { requests })).text).not.toContain('javascript')
    expect((await server.call('GET', path)).text).not.toContain('javascript')
  })

  test('SEC-57: in responses to a create with operations, of every kind of object', async () => {
    const { hooks, functions } = server.context.registry
    // Hooks and functions that pass on what they got.
    const withCopy = async ({ object }: { object?: WireFields | undefined }) => ({
      object: { ...object, copy: object?.picture ?? null },
    })
    hooks.set('beforeSave Hooked', [withCopy])
    hooks.set('afterSave Told', [withCopy])
    hooks.set('afterFind Told', [async () => ({ objects: [{ objectId: 'x', list: [evil] }] })])
    functions.set('echoFile', { run: async ({ params }) => params })
    const addresses = [script, 'data:text/html,javascript', 'vbscript:javascript', '\tJaVaScRiPt:alert(1)']
    for (const url of addresses) {
      const file = { ...evil, url }
      const add = { __op: 'Add', objects: [file] }
      const fields = { list: add, unique: { __op: 'AddUnique', objects: [{ deep: file }] }, picture: file }
      const requests = [{ method: 'POST', path: '/server/classes/Post', body: fields }]
      const device = { ...fields, deviceType: 'web', installationId: `device-${addresses.indexOf(url)}` }
      const answers = [
        await server.call('POST', '/classes/Post', fields),
        await server.call('POST', '/batch', { requests }),
        await server.call('POST', '/batch', { requests, transaction: true }),
        await server.call('POST', '/installations', device),
        await server.call('POST', '/installations', device),
        await server.call('POST', '/classes/Hooked', fields),
        await server.call('POST', '/classes/Told', fields),
        await server.call('GET', '/classes/Told'),
        await server.call('POST', '/users', {
          ...fields,
          username: `files${addresses.indexOf(url)}`,
          password: 'secret',
        }),
        await server.call('POST', '/functions/echoFile', { file }),
      ]
      for (const { status, text } of answers) {
        expect(text.toLowerCase(), text).not.toContain('javascript')
        expect(status, text).toBeLessThan(300)
      }
    }
    hooks.clear()
  })

  test('of users and of sessions', async () => {
    const own = { token: ann.token }
    const session = `/sessions/${(await server.call('GET', '/sessions/me', undefined, own)).body.objectId}`
    const answers = [
      await server.call('PUT', `/users/${ann.objectId}`, { pictures: [evil], picture: evil }, own),
      await server.call('PUT', `/users/${ann.objectId}`, { pictures: { __op: 'Add', objects: [evil] } }, own),
      await server.call('GET', '/users/me', undefined, own),
      await server.call('GET', `/users/${ann.objectId}`, undefined, own),
      await server.call('POST', '/login', { username: 'ann', password: 'ann password' }),
      await server.call('PUT', session, { pictures: [evil], picture: evil }, own),
      await server.call('PUT', session, { pictures: { __op: 'Add', objects: [evil] } }, own),
      await server.call('GET', session, undefined, own),
      await server.call('GET', '/sessions/me', undefined, own),
      await server.call('GET', '/sessions', undefined, own),
      await server.call('GET', '/auth/export', undefined, own),
    ]
    for (const { text } of answers) expect(text).not.toContain('javascript')
  })

  test('of live events and of settings', async () => {
    const socket = await openLiveSocket(server)
    try {
      await socket.subscribe(1, { className: 'Post' })
      const { body } = await server.call('POST', '/classes/Post', { list: [evil] })
      expect(JSON.stringify(await socket.next('create'))).not.toContain('javascript')
      await server.call('PUT', `/classes/Post/${body.objectId}`, { map: { evil } })
      expect(JSON.stringify(await socket.next('update'))).not.toContain('javascript')
      const { hooks } = server.context.registry
      hooks.set('afterLiveQueryEvent Post', [async ({ object }) => ({ object: { ...object, added: [evil] } })])
      await server.call('PUT', `/classes/Post/${body.objectId}`, { other: 1 })
      expect(JSON.stringify(await socket.next('update'))).not.toContain('javascript')
      hooks.clear()
    } finally {
      socket.close()
    }
    await server.call('PUT', '/config', { params: { icon: evil, icons: [evil] } }, master)
    expect((await server.call('GET', '/config')).text).not.toContain('javascript')
  })

  test('a stored file has the present address, one that lies elsewhere keeps its own', async () => {
    const elsewhere = { __type: 'File', name: 'dog.png', url: 'https://files.example/dog.png' }
    const list = [elsewhere, { ...evil, name: ours }, { text: script }]
    const { body } = await server.call('POST', '/classes/Post', { list })
    const shown = (await server.call('GET', `/classes/Post/${body.objectId}`)).body.list
    const url = `${server.context.publicUrl}${server.context.config.mount}/files/${server.appId}/${ours}`
    expect(shown).toEqual([elsewhere, { __type: 'File', name: ours, url }, { text: script }])
  })
})
