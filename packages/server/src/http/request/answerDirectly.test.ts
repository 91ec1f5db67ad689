import { expect, test } from 'vitest'
import { sendRaw } from '../../testing/sendRaw.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({
  trustProxy: 1,
  masterKeyIps: ['127.0.0.1', '2001:db8::/32'],
  allowOrigin: 'https://app.example',
})

/** Headers that differ with every response. */
const changing = /^(date|x-request-id|set-cookie|keep-alive):/i

/** Status line, sorted headers and body of the response to a request. */
async function ask(line: string, headers: Record<string, string>, body = '') {
  const all = { Host: 'x', Connection: 'close', 'X-Parse-Application-Id': server.appId, ...headers }
  const lines = Object.entries({ ...all, ...(body && { 'Content-Length': String(body.length) }) })
  const head = [`${line} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  const [answered = '', text = ''] = (await sendRaw(server, `${head}\r\n\r\n${body}`)).split('\r\n\r\n', 2)
  const [status, ...received] = answered.split('\r\n')
  return { status, headers: received.filter((each) => !changing.test(each)).sort(), text }
}

const withoutTimes = (text: string) =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time').replace(/r:\w+|"\w{10}"/g, 'id')

const json = 'application/json'
/** A type that Fastify reads. */
const unusual = 'application/json; version=1'
const proxied = { 'X-Forwarded-For': '198.51.100.1, [2001:db8::7]:4711', 'X-Forwarded-Proto': 'https' }

// Two slashes are an unusual spelling, which Fastify handles.
test.each([
  ['a page of another site', 'GET /server/classes/Score', { Origin: 'https://other.example' }],
  ['a page that may use cookies', 'GET /server/classes/Score?limit=0&count=1', { Origin: 'https://app.example' }],
  ['a query that is none', 'GET /server/classes/Score?where=%7B%22%24x%22%3A1%7D', {}],
  ['an unknown session', 'GET /server/users/me', { 'X-Parse-Session-Token': 'r:none' }],
  ['a wrong application', 'GET /server/users/me', { 'X-Parse-Application-Id': 'wrong' }],
  ['a caller behind a proxy', 'GET /server/connection', proxied],
])('the response to %s is the same with and without Fastify', async (_, line, given) => {
  const headers = { ...given, ...(line.includes('connection') && { 'X-Parse-Master-Key': server.masterKey }) }
  const [direct, byFastify] = [await ask(line, headers), await ask(line.replace('/server/', '/server//'), headers)]
  expect({ ...direct, text: withoutTimes(direct.text) }).toEqual({
    ...byFastify,
    text: withoutTimes(byFastify.text),
  })
})

test('bodies and cookies are the same with and without Fastify', async () => {
  const body = (name: string) => JSON.stringify({ username: name, password: 'a long pass phrase' })
  const headers = { 'X-Countersign-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' }
  const answers = await Promise.all(
    [json, unusual].map((type, index) =>
      ask('POST /server/users', { ...headers, 'Content-Type': type }, body(`direct-${index}`)),
    ),
  )
  const [direct, byFastify] = answers.map(({ status, headers, text }) => [
    status,
    headers.filter((each) => !/^(location|content-length):/i.test(each)),
    withoutTimes(text).replace(/direct-\d/g, 'name'),
  ])
  expect(direct).toEqual(byFastify)
  expect(answers[0]?.status).toContain('201')
})

test('a proxy that is trusted names the caller, in one spelling', async () => {
  const { text } = await ask('GET /server/connection', { 'X-Parse-Master-Key': server.masterKey, ...proxied })
  expect(JSON.parse(text)).toMatchObject({ address: '2001:db8:0:0:0:0:0:7', isForwarded: true })
})
