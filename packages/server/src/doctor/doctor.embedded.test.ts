import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import {
  createServer as createHttp,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigInput } from '../config/Config.ts'
import { readConfig } from '../config/readConfig.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { startStorage } from '../testing/startStorage.ts'
import { examine, thisMachine } from './examine.ts'
import type { Finding } from './Finding.ts'
import type { Machine } from './Machine.ts'

/** Setup of a planted fault: settings or another machine. `end` removes what was started for it. */
type Planted = { settings?: ConfigInput; machine?: Partial<Machine>; mailTo?: string }
type Row = [
  name: string,
  plant: () => Promise<Planted>,
  expected: [check: string, status: Finding['status'], text: RegExp],
]

const ends: (() => Promise<unknown>)[] = []
let folder: string
let server: TestServer
/** A port on which nobody listens. */
let closed: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-doctor-'))
  const probe = createHttp()
  closed = await new Promise((resolve) =>
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port)),
  )
  await new Promise((resolve) => probe.close(resolve))
  server = await createTestServer({ allowOrigin: ['https://pages.acme.example'] })
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function diagnose({ settings = {}, machine = {}, mailTo }: Planted): Promise<Finding[]> {
  return examine({
    loadConfig: () =>
      readConfig({
        environment: {},
        folder: '/nonexistent',
        flags: { port: closed, dataFolder: join(folder, 'none'), usePublicNodes: false, ...settings },
      }),
    machine: { ...thisMachine, ...machine },
    mailTo,
  })
}

async function listen(started: Server): Promise<number> {
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => started.close(resolve)))
  return (started.address() as AddressInfo).port
}

/** A proxy in front of the test server, with the faults of one. */
async function startProxy(
  change: {
    request?: (headers: IncomingMessage['headers'], from: string) => void
    response?: (headers: IncomingMessage['headers']) => void
    to?: TestServer
  } = {},
): Promise<string> {
  const target = new URL((change.to ?? server).url)
  const handle = (inner: IncomingMessage, outer: ServerResponse) => {
    const headers = { ...inner.headers }
    change.request?.(headers, inner.socket.remoteAddress ?? '')
    const asked = requestHttp({
      host: target.hostname,
      port: target.port,
      path: inner.url,
      method: inner.method,
      headers,
    })
    asked.on('response', (answer) => {
      const answered = { ...answer.headers }
      change.response?.(answered)
      outer.writeHead(answer.statusCode ?? 502, answered)
      answer.pipe(outer)
    })
    asked.on('upgrade', ({ rawHeaders }, socket) => {
      const lines = rawHeaders.map((text, place) => (place % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      inner.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      socket.pipe(inner.socket).pipe(socket)
    })
    asked.on('error', () => outer.destroy())
    inner.pipe(asked)
  }
  return `http://localhost:${await listen(createHttp(handle))}`
}

const own = (publicUrl: string): ConfigInput => ({
  publicUrl,
  appId: server.appId,
  masterKey: server.masterKey,
  allowOrigin: ['https://pages.acme.example'],
})

async function startNode(answers: { [method: string]: unknown }): Promise<string> {
  const port = await listen(
    createHttp(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string }
      const result = answers[method]
      const refused = { error: { code: -32000, message: `no ${method} for the key hidden-node-key` } }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(result === undefined ? refused : { result }) }))
    }),
  )
  return `http://127.0.0.1:${port}/v3/hidden-node-key`
}

const block = (age: number) => ({
  number: '0x100000',
  timestamp: `0x${Math.floor((Date.now() - age) / 1000).toString(16)}`,
})
const wholeNode = () => ({
  eth_chainId: '0x309',
  eth_getBlockByNumber: block(0),
  eth_getBalance: '0x0',
  eth_getLogs: [],
})
const chain = (url: string): ConfigInput => ({ chains: [{ id: 777, rpcUrls: [url], index: {} }] })

async function startMail(accepts: boolean): Promise<string> {
  const started = new SMTPServer({
    secure: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) =>
      accepts ? done(null, { user: 'me' }) : done(new Error('wrong password hidden-mail-password')),
    onData: (stream, _session, done) => {
      stream.resume()
      stream.on('end', () => done())
    },
  })
  const port = await listen(started.server)
  return `smtp://me:hidden-mail-password@127.0.0.1:${port}`
}

async function dataFolder(mode: number, keys: string, keyMode: number): Promise<string> {
  const made = await mkdtemp(join(folder, 'data-'))
  await writeFile(join(made, 'keys.json'), keys)
  await chmod(join(made, 'keys.json'), keyMode)
  await chmod(made, mode)
  return made
}
const someKeys = JSON.stringify({ appId: 'a', masterKey: 'm', javascriptKey: 'j', secret: 's' })

async function startTls(): Promise<string> {
  const path = join(folder, 'tls')
  await mkdir(path, { recursive: true })
  const [key, cert] = [join(path, 'key.pem'), join(path, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'],
      ...['-subj', '/CN=other.example', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  )
  const started = createHttps({ key: await readFile(key), cert: await readFile(cert) }, (_request, response) =>
    response.end('{}'),
  )
  return `https://localhost:${await listen(started)}`
}

const rows: Row[] = [
  [
    'a setting is misspelt',
    async () => ({ settings: { sesionLength: 5 } as ConfigInput }),
    ['configuration, settings', 'fault', /Did you mean sessionLength/],
  ],
  [
    'an origin has a slash at its end',
    async () => ({ settings: { allowOrigin: ['https://app.example/'] } }),
    ['configuration, origins', 'fault', /app\.example\//],
  ],
  [
    'the master key is open to everyone',
    async () => ({ settings: { masterKeyIps: ['0.0.0.0/0'] } }),
    ['configuration, masterKeyIps', 'warning', /every address/],
  ],
  [
    'any proxy is believed',
    async () => ({ settings: { trustProxy: true } }),
    ['configuration, trustProxy', 'warning', /trustProxy is true/],
  ],
  [
    'the master key is short',
    async () => ({ settings: { production: true, masterKey: 'secret' } }),
    ['configuration, masterKey', 'warning', /6 characters/],
  ],
  [
    'Node.js is old',
    async () => ({ machine: { nodeVersion: '18.20.0' } }),
    ['machine, node', 'fault', /18\.20\.0 is too old/],
  ],
  [
    'the data folder is open to others',
    async () => ({ settings: { dataFolder: await dataFolder(0o755, someKeys, 0o600) } }),
    ['machine, folder', 'warning', /mode 755/],
  ],
  [
    'the keys are open to others',
    async () => ({ settings: { dataFolder: await dataFolder(0o700, someKeys, 0o644) } }),
    ['machine, keys', 'fault', /mode 644/],
  ],
  [
    'the keys are broken',
    async () => ({ settings: { dataFolder: await dataFolder(0o700, '{', 0o600) } }),
    ['machine, keys', 'fault', /is not valid JSON/],
  ],
  [
    'the disk is nearly full',
    async () => ({
      settings: { dataFolder: await dataFolder(0o700, someKeys, 0o600) },
      machine: { freeBytes: async () => 50_000_000 },
    }),
    ['machine, disk', 'fault', /48 MB are free/],
  ],
  [
    'nobody answers at the public address',
    async () => ({ settings: own(`http://localhost:${closed}`) }),
    ['address, reach', 'fault', /cannot be reached/],
  ],
  [
    'the public address leads to something else',
    async () => ({
      settings: own(
        `http://localhost:${await listen(createHttp((_request, response) => response.end('<h1>Welcome</h1>')))}`,
      ),
    }),
    ['address, reach', 'fault', /not as a Countersign server/],
  ],
  [
    'the public address leads on',
    async () => ({
      settings: own(
        `http://localhost:${await listen(
          createHttp((_request, response) => {
            response.writeHead(301, { Location: `${server.url}/config.json` })
            response.end()
          }),
        )}`,
      ),
    }),
    ['address, reach', 'fault', /redirects to/],
  ],
  [
    'the public address is of another application',
    async () => ({ settings: { ...own(server.url.replace('127.0.0.1', 'localhost')), appId: 'mine' } }),
    ['address, server', 'fault', /another application id/],
  ],
  [
    'production has no public address',
    async () => ({ settings: { production: true } }),
    ['address, publicUrl', 'fault', /not set in production/],
  ],
  [
    'production is without TLS',
    async () => ({ settings: { ...own(`http://localhost:${closed}`), production: true } }),
    ['address, https', 'fault', /without TLS/],
  ],
  [
    'the certificate is of nobody',
    async () => ({ settings: own(await startTls()) }),
    ['address, certificate', 'fault', /self-signed|self signed/],
  ],
  [
    'a proxy is not trusted',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers, from) => {
            headers['x-forwarded-for'] = from
          },
        }),
      ),
    }),
    ['address, proxy', 'fault', /does not trust it/],
  ],
  [
    'a caller is believed about its address',
    async () => {
      const trusting = await createTestServer(
        { trustProxy: true, masterKeyIps: ['127.0.0.1', '203.0.113.77'] },
        server.database,
      )
      ends.push(() => trusting.stop())
      return { settings: own(trusting.url.replace('127.0.0.1', 'localhost')) }
    },
    ['address, proxy', 'fault', /trusts any address that a caller sends/],
  ],
  [
    'a proxy changes the host',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            headers.host = 'inside:80'
          },
        }),
      ),
    }),
    ['address, host', 'warning', /receives the host inside:80/],
  ],
  [
    'a proxy says the wrong scheme',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            headers['x-forwarded-proto'] = 'https'
          },
        }),
      ),
    }),
    ['address, scheme', 'warning', /reports the scheme https/],
  ],
  [
    'a proxy drops cookies',
    async () => ({
      settings: own(
        await startProxy({
          response: (headers) => {
            delete headers['set-cookie']
          },
        }),
      ),
    }),
    ['address, cookie', 'fault', /No cookie arrives/],
  ],
  [
    'a proxy keeps cookies from the server',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            delete headers.cookie
          },
        }),
      ),
    }),
    ['address, cookie', 'fault', /does not reach/],
  ],
  [
    'a proxy changes the path of cookies',
    async () => ({
      settings: own(
        await startProxy({
          response: (headers) => {
            headers['set-cookie'] = (headers['set-cookie'] ?? []).map((one) => one.replace('Path=/', 'Path=/server'))
          },
        }),
      ),
    }),
    ['address, cookie', 'fault', /changes attributes/],
  ],
  [
    'a proxy answers CORS itself',
    async () => ({
      settings: own(
        await startProxy({
          response: (headers) => {
            headers['access-control-allow-origin'] = '*'
          },
        }),
      ),
    }),
    ['address, cors', 'fault', /the response allows \*/],
  ],
  [
    'a proxy does not let sockets through',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            delete headers.upgrade
            delete headers.connection
          },
        }),
      ),
    }),
    ['address, sockets', 'fault', /WebSocket does not open/],
  ],
  [
    'production has no SMTP server',
    async () => ({ settings: { production: true } }),
    ['mail, smtp', 'warning', /No SMTP server/],
  ],
  [
    'the SMTP server does not answer',
    async () => ({ settings: { smtp: { url: `smtp://127.0.0.1:${closed}`, from: 'a@acme.example' } } }),
    ['mail, smtp', 'fault', /ECONNREFUSED/],
  ],
  [
    'the SMTP server refuses the password',
    async () => ({ settings: { smtp: { url: await startMail(false), from: 'a@acme.example' } } }),
    ['mail, smtp', 'fault', /wrong password/],
  ],
  [
    'a node does not answer',
    async () => ({ settings: chain(`http://127.0.0.1:${closed}/hidden-node-key`) }),
    ['chains, chain 777 at 127.0.0.1', 'fault', /ECONNREFUSED/],
  ],
  [
    'a node is of another chain',
    async () => ({ settings: chain(await startNode({ ...wholeNode(), eth_chainId: '0x1' })) }),
    ['chains, chain 777 at', 'fault', /belongs to chain 1\./],
  ],
  [
    'a node is behind',
    async () => ({ settings: chain(await startNode({ ...wholeNode(), eth_getBlockByNumber: block(3_600_000) })) }),
    ['chains, chain 777 at', 'warning', /60 minutes old/],
  ],
  [
    'a node is no archive',
    async () => ({ settings: chain(await startNode({ ...wholeNode(), eth_getBalance: undefined })) }),
    ['chains, chain 777 at', 'warning', /balances of old blocks/],
  ],
  [
    'a node gives too few logs',
    async () => ({ settings: chain(await startNode({ ...wholeNode(), eth_getLogs: undefined })) }),
    ['chains, chain 777 at', 'warning', /logs of 10000 blocks/],
  ],
  [
    'the storage refuses the keys',
    async () => {
      const storage = await startStorage({ accessKeyId: 'id', secretAccessKey: 'right' })
      ends.push(storage.stop)
      const s3 = { bucket: 'files', endpoint: storage.url, accessKeyId: 'id', secretAccessKey: 'hidden-storage-key' }
      return { settings: { files: { store: 's3', s3 } } }
    },
    ['storage, s3', 'fault', /files: .*403/],
  ],
]

test.each(rows)('doctor finds it where %s', async (_name, plant, [check, status, text]) => {
  const findings = await diagnose(await plant())
  const found = findings.filter(
    (finding) => `${finding.area}, ${finding.check}`.startsWith(check) && finding.status === status,
  )
  expect(found.map(({ message }) => message).join('\n'), JSON.stringify(findings, null, 1)).toMatch(text)
  for (const { meaning, fix } of found) expect([meaning, fix]).toEqual([expect.any(String), expect.any(String)])
  expect(JSON.stringify(findings)).not.toMatch(/hidden-/)
  expect(JSON.stringify(findings)).not.toContain(server.masterKey)
})

test('doctor has nothing to say about an installation that is well, and makes nothing', async () => {
  const url = server.url.replace('127.0.0.1', 'localhost')
  const findings = await diagnose({
    settings: {
      ...own(url),
      smtp: { url: await startMail(true), from: 'a@acme.example' },
      ...chain(await startNode(wholeNode())),
    },
    mailTo: 'ada@acme.example',
  })
  expect(findings.filter(({ status }) => status === 'fault' || status === 'warning')).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['server', 'proxy', 'cookie', 'cors', 'sockets', 'smtp', 'test mail']),
  )
  await expect(stat(join(folder, 'none'))).rejects.toThrow('ENOENT')
})
