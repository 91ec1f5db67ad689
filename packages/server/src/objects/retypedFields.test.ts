import { expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

const values = [
  ['a text', 'another'],
  [7, 8],
  [{ a: 1 }, { a: 2 }],
  [
    { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' },
    { __type: 'Date', iso: '2021-01-01T00:00:00.000Z' },
  ],
] as const

/** Often enough that each statement is prepared under a name. */
async function write(className: string, [first, second]: readonly [unknown, unknown]) {
  for (let time = 0; time < 3; time++) {
    const { status, body } = await server.call('POST', `/classes/${className}`, { field: first })
    expect(status).toBe(201)
    const path = `/classes/${className}/${body.objectId}`
    expect((await server.call('PUT', path, { field: second })).status).toBe(200)
    const where = encodeURIComponent(JSON.stringify({ field: second, objectId: body.objectId }))
    const found = await server.call('GET', `/classes/${className}?where=${where}`)
    expect(found.body.results).toMatchObject([{ field: second }])
  }
}

test('a class that is dropped and made again takes fields of other types', async () => {
  for (const pair of values) {
    await write('Again', pair)
    expect((await server.call('DELETE', '/purge/Again', undefined, { master: true })).status).toBe(200)
    expect((await server.call('DELETE', '/schemas/Again', undefined, { master: true })).status).toBe(200)
  }
})

test('a dropped field is created again with another type', async () => {
  for (const pair of values) {
    await write('Kept', pair)
    const gone = { className: 'Kept', fields: { field: { __op: 'Delete' } } }
    expect((await server.call('PUT', '/schemas/Kept', gone, { master: true })).status).toBe(200)
  }
})
