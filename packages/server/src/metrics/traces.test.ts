import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startChain } from '../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] }

let collector: Server
let sent: string
let server: TestServer
const address = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`

beforeAll(async () => {
  collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (sent += chunk))
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  server = await createTestServer({ traces: { url: `${address(collector)}/v1/traces`, delay: 20 } })
})
beforeEach(() => {
  sent = ''
})
afterAll(async () => {
  await server.stop()
  await new Promise((resolve) => collector.close(resolve))
})

/** Every span that has arrived, from all of the bodies one behind the other. */
function spans(): Span[] {
  const bodies = sent === '' ? [] : (JSON.parse(`[${sent.replaceAll('}{', '},{')}]`) as { resourceSpans: unknown[] }[])
  return bodies.flatMap(({ resourceSpans }) =>
    (resourceSpans as { scopeSpans: { spans: Span[] }[] }[]).flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
}

const readAttribute = ({ attributes }: Span, name: string) => {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {}
  return stringValue ?? intValue
}

test('a request is a span with its statements in it, part of the trace that the caller names, and holds no value', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const { status } = await server.call(
    'POST',
    '/users',
    { username: 'ada.lovelace', password: 'a very secret password' },
    { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
  )
  expect(status).toBe(201)
  await expect.poll(() => spans().some(({ name }) => name === 'POST signUp'), { timeout: 60_000 }).toBe(true)
  const request = spans().find(({ name }) => name === 'POST signUp') as Span
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  expect(readAttribute(request, 'http.response.status_code')).toBe(201)
  expect(readAttribute(request, 'countersign.endpoint')).toBe('signUp')
  const statements = spans().filter((span) => readAttribute(span, 'db.system.name') === 'postgresql')
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements) expect(statement).toMatchObject({ traceId, parentSpanId: request.spanId })
  expect(sent).toContain('$1')
  expect(sent).not.toMatch(/ada\.lovelace|secret password/)
})

test('an invalid trace header starts a new trace', async () => {
  for (const traceparent of ['nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `01-${'a'.repeat(32)}-b7-01`])
    expect((await server.call('GET', '/health', undefined, { headers: { traceparent } })).status).toBe(200)
  await expect.poll(() => spans().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
  for (const span of spans()) {
    expect(span.parentSpanId ?? '').toBe('')
    expect(span.traceId).not.toMatch(/^(0+|a+)$/)
  }
})

test('a call to a node is a span within its request, with its method and host and without the key in its address', async () => {
  const node = await startChain()
  const chained = await createTestServer({
    traces: { url: `${address(collector)}/v1/traces`, delay: 20 },
    usePublicNodes: false,
    chains: [{ id: node.chainId, rpcUrls: [`${node.url}/?key=of-the-node`] }],
  })
  try {
    const { status } = await chained.call('GET', `/chain/${node.chainId}/addresses/0x${'1'.repeat(40)}/balance`)
    expect(status).toBe(200)
    const requestOf = () => spans().find((span) => readAttribute(span, 'countersign.endpoint') === 'getNativeBalance')
    await expect.poll(requestOf).toBeDefined()
    const request = requestOf() as Span
    const calls = spans().filter(
      ({ parentSpanId, name }) => parentSpanId === request.spanId && name.startsWith('node '),
    )
    expect(calls.map((call) => readAttribute(call, 'rpc.method')).join(', ')).toContain('eth_getBalance')
    for (const call of calls) {
      expect(call.traceId).toBe(request.traceId)
      expect(readAttribute(call, 'server.address')).toMatch(/^(127\.0\.0\.1|localhost)/)
    }
    expect(sent).not.toContain('of-the-node')
  } finally {
    await chained.stop()
    await node.stop()
  }
})

test('a collector that is gone fails no request', async () => {
  const other = await createTestServer({ traces: { url: 'http://127.0.0.1:9/v1/traces', delay: 20 } })
  try {
    for (let count = 0; count < 5; count++) expect((await other.call('GET', '/health')).status).toBe(200)
  } finally {
    await other.stop()
  }
})
