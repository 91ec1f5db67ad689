// @vitest-environment node
import { expect, test } from 'vitest'
import type { Exchange } from '../state/Recording.ts'
import { observeFetch } from './getRecorder.ts'

async function record(answer: () => Promise<Response>, url: string, init: RequestInit = {}): Promise<Exchange[]> {
  const reported: Exchange[] = []
  await observeFetch(answer, (exchange) => reported.push(exchange))(url, init).catch(() => undefined)
  return reported
}

const ok = async () => new Response('{}', { headers: { 'X-Request-Id': 'req-7' } })

test('reported when it is sent and when the response begins; nothing of header, body or query is kept', async () => {
  const init = {
    method: 'POST',
    headers: { 'X-Parse-Session-Token': 'r:secret', 'X-Parse-Request-Id': 'own-1' },
    body: JSON.stringify({ password: 'hunter2' }),
  }
  const reported = await record(ok, 'https://example.org/server/classes/My%20Game?where=secret#secret', init)
  expect(reported).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(Number),
      method: 'POST',
      path: '/server/classes/My Game',
      requestId: 'own-1',
    },
    expect.objectContaining({ status: 200, duration: expect.any(Number), requestId: 'req-7' }),
  ])
  expect(JSON.stringify(reported)).not.toMatch(/secret|hunter2/)
})

test('the verb that is meant', async () => {
  const method = async (body: string) => (await record(ok, 'https://example.org/', { method: 'POST', body }))[0]?.method
  expect(await method('{"where":{},"_method":"GET"}')).toBe('GET')
  expect(await method('{"note":"{\\"_method\\":\\"GET\\"}"}')).toBe('POST')
  expect(await method('no JSON "_method"')).toBe('POST')
})

test('records failed and canceled requests', async () => {
  const fail = () => Promise.reject(new TypeError('fetch failed'))
  expect((await record(fail, 'https://example.org/')).at(-1)).toMatchObject({ failure: 'fetch failed' })
  const signal = AbortSignal.abort()
  expect((await record(fail, 'https://example.org/', { signal })).at(-1)).toMatchObject({ failure: 'cancelled' })
})
