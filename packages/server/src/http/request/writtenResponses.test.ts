import { afterEach, expect, test, vi } from 'vitest'
import { createRawCall } from '../../testing/createRawCall.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ checkResponses: false })
const { raw } = createRawCall(() => server)

afterEach(() => vi.restoreAllMocks())

test('a response that the database wrote is sent without being parsed', async () => {
  const { body: note } = await server.call('POST', '/classes/Note', { title: 'only once' })
  const headers = { 'X-Parse-Application-Id': server.appId }
  // The first request of a class reads its schema.
  await raw('/classes/Note', { headers })

  const parsed = vi.spyOn(JSON, 'parse')
  const found = await raw('/classes/Note', { headers })
  const got = await raw(`/classes/Note/${note.objectId}`, { headers })
  const texts = parsed.mock.calls.map(([text]) => String(text))
  vi.restoreAllMocks()

  expect(found.json().results).toEqual([got.json()])
  expect(got.json()).toMatchObject({ title: 'only once' })
  expect(texts.filter((text) => text.includes('only once'))).toEqual([])
})
