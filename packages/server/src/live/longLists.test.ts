import { expect, test } from 'vitest'
import { longestHold } from '../testing/longestHold.ts'
import { openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ rateLimit: [] })

const many = (length: number, value: (index: number) => unknown) => Array.from({ length }, (_, index) => value(index))

test('SEC-33: long lists in conditions and in objects are not compared each with each', async () => {
  const { body } = await server.call('POST', '/classes/Long', { list: [1] })
  const list = many(50_000, () => 7)
  let turn = 1_000
  const write = async () => {
    const { status } = await server.call('PUT', `/classes/Long/${body.objectId}`, { list: [...list, ++turn] })
    expect(status).toBe(200)
  }
  const alone = await longestHold({}, write)
  const socket = await openLiveSocket(server)
  try {
    const numbers = many(9_000, (index) => -1 - index)
    await socket.subscribe(1, { className: 'Long', where: { list: { $in: numbers } } })
    await socket.subscribe(2, { className: 'Long', where: { list: { $containedBy: [...numbers, 7] } } })
    await socket.subscribe(3, { className: 'Long', where: { list: { $in: [...numbers, 7] } }, keys: ['objectId'] })
    const held = await longestHold({}, async () => {
      await write()
      await socket.next((frame) => frame.op === 'update' && frame.requestId === 3)
    })
    expect(held).toBeLessThan(alone + 500)
    const others = socket.frames.filter(({ requestId }) => requestId === 1 || requestId === 2)
    expect(others.map(({ op }) => op)).toEqual(['subscribed', 'subscribed'])
  } finally {
    socket.close()
  }
})

test('SEC-33: nor does a subscriber with hundreds of such queries delay the others', async () => {
  const { body } = await server.call('POST', '/classes/Wide', { list: [1] })
  const [greedy, other] = await Promise.all([openLiveSocket(server), openLiveSocket(server)])
  try {
    const objects = (index: number) => ({ list: { a: index, b: [1, 2, { c: 3 }] } })
    for (let index = 0; index < 300; index++)
      await greedy.subscribe(index, { className: 'Wide', where: { ...objects(index), 'list.b': index } })
    await other.subscribe(1, { className: 'Wide', where: {}, keys: ['objectId'] })
    const list = many(3_000, (index) => ({ a: index, b: [1, 2, { c: 4 }] }))
    const held = await longestHold({ below: 1_500 }, async () => {
      const changes = { list: [...list, Math.random()] }
      expect((await server.call('PUT', `/classes/Wide/${body.objectId}`, changes)).status).toBe(200)
      await other.next((frame) => frame.op === 'update')
    })
    expect(held).toBeLessThan(1_500)
  } finally {
    for (const socket of [greedy, other]) socket.close()
  }
})

test('SEC-33: queries take memory for as long as they stand, so those of a socket have only so many bytes in all', async () => {
  const socket = await openLiveSocket(server)
  try {
    const names = (length: number) => many(length, (index) => `k${index}`)
    const ask = (id: number, query: object) => socket.subscribe(id, { className: 'Named', where: {}, ...query })
    expect(await ask(1, { keys: names(1_001) })).toMatchObject({ op: 'error' })
    expect(await ask(1, { watch: names(1_001) })).toMatchObject({ op: 'error' })
    expect(await ask(1, { keys: names(1_000) })).toMatchObject({ op: 'subscribed' })
    const large = (id: number) => ({ where: { list: { $in: many(20_000, (index) => index + id) } } })
    const answers = []
    for (let id = 2; id < 8; id++) answers.push(await ask(id, large(id)))
    const refused = answers.filter(({ op }) => op === 'error')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ code: 155 })
    // A subscription that replaces another gets its room.
    expect(await ask(2, large(9))).toMatchObject({ op: 'subscribed' })
    socket.send({ op: 'unsubscribe', requestId: 2 })
    await socket.next('unsubscribed')
    expect(await ask(7, large(7))).toMatchObject({ op: 'subscribed' })
    for (let id = 10; id < 300; id++)
      expect(await ask(id, { where: { name: `name ${id}`, tags: 'x'.repeat(50) } })).toMatchObject({ op: 'subscribed' })
  } finally {
    socket.close()
  }
})
