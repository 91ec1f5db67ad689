// @vitest-environment happy-dom
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendForm } from './sendForm.ts'

let server: Server

let url: string

beforeAll(async () => {
  server = createServer((call, answer) => {
    call.resume()
    const origin = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' }
    const limits = { 'RateLimit-Limit': '10', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '42', 'Retry-After': '42' }
    call.on('end', () => {
      answer.writeHead(429, { ...origin, ...limits, 'Content-Type': 'application/json' })
      answer.end(JSON.stringify({ code: 155, error: 'Too many files.' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/a.txt`
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url)
})

afterAll(() => server.close())

const rateLimit = { limit: 10, remaining: 0, reset: 42, retryAfter: 42 }

test.each([
  ['that reports progress, by XMLHttpRequest', () => undefined],
  ['that does not, by fetch', undefined],
])('R23: an upload %s carries the limit headers of a 429', async (_, onProgress) => {
  const form = new FormData()
  form.set('file', new Blob(['text']), 'a.txt')
  const sent = sendForm({}, url, { method: 'POST', headers: {} }, form, { onProgress })
  await expect(sent).rejects.toMatchObject({ code: 155, status: 429, rateLimit })
})
