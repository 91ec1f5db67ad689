import { expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

test('a row read as JSON is the row read column by column, for every type', async () => {
  const values = {
    text: 'a "quoted" \\ text 🎉',
    number: 1e-7,
    large: 1.7976931348623157e308,
    yes: true,
    list: [1, 'two', { three: [null] }],
    object: { date: { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' } },
    date: { __type: 'Date', iso: '1883-11-18T12:03:58.120Z' },
    farDate: { __type: 'Date', iso: '+012026-01-02T03:04:05.006Z' },
    place: { __type: 'GeoPoint', latitude: -40.5, longitude: 1e-9 },
    bytes: { __type: 'Bytes', base64: 'AAEC/w==' },
    nothing: null,
  }
  const { objectId, token } = await server.signUp('same', values)
  // The session check revives the row, column by column; reading a user by id decodes its JSON as it is.
  const asJson = await server.call('GET', '/users/me', undefined, { token })
  const asColumns = await server.call('GET', `/users/${objectId}`, undefined, { token })
  expect(asJson.body).toEqual(asColumns.body)
  expect(asJson.body).toMatchObject(values)
})
