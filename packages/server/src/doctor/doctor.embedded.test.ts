import { execFileSync, spawn, spawnSync } from 'node:child_process'
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
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
    request?: (headers: IncomingMessage['headers'], from: string, given: string | undefined) => void
    response?: (headers: IncomingMessage['headers']) => void
    /** Bytes of a body; a larger one is refused, as by client_max_body_size. */
    limit?: number
    /** Stores bodies whole before it passes them on. */
    stores?: 'requests' | 'responses'
    /** Lets the handshake of a socket through, and no message. */
    isMute?: boolean
    to?: TestServer
  } = {},
): Promise<string> {
  const target = new URL((change.to ?? server).url)
  const handle = async (inner: IncomingMessage, outer: ServerResponse) => {
    if (Number(inner.headers['content-length'] ?? 0) > (change.limit ?? Number.POSITIVE_INFINITY)) {
      outer.writeHead(413).end('<h1>413 Request Entity Too Large</h1>')
      inner.resume()
      return
    }
    const stored = change.stores === 'requests' ? await readWhole(inner) : undefined
    const headers: IncomingMessage['headers'] = {
      ...inner.headers,
      'x-forwarded-for': inner.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'http',
    }
    change.request?.(headers, inner.socket.remoteAddress ?? '', inner.headers['x-forwarded-for'] as string | undefined)
    const asked = requestHttp({
      host: target.hostname,
      port: target.port,
      path: inner.url,
      method: inner.method,
      headers,
    })
    asked.on('response', async (answer) => {
      const answered = { ...answer.headers }
      change.response?.(answered)
      const whole = change.stores === 'responses' ? await readWhole(answer) : undefined
      outer.writeHead(answer.statusCode ?? 502, answered)
      if (whole) outer.end(whole)
      else answer.pipe(outer)
    })
    asked.on('upgrade', ({ rawHeaders }, socket) => {
      const lines = rawHeaders.map((text, place) => (place % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      inner.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      if (!change.isMute) socket.pipe(inner.socket).pipe(socket)
      inner.socket.once('close', () => socket.destroy())
    })
    asked.on('error', () => outer.destroy())
    if (stored) asked.end(stored)
    else inner.pipe(asked)
  }
  return `http://localhost:${await listen(createHttp(handle))}`
}

async function readWhole(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function startBehindProxy(settings: ConfigInput): Promise<TestServer> {
  const behind = await createTestServer(
    { trustProxy: 1, allowOrigin: ['https://pages.acme.example'], ...settings },
    server.database,
  )
  ends.push(() => behind.stop())
  return behind
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
    async () => ({ settings: own(await startProxy({ to: server })) }),
    ['address, proxy', 'fault', /does not trust it/],
  ],
  [
    'a proxy does not name the caller',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            delete headers['x-forwarded-for']
          },
        }),
      ),
    }),
    ['address, proxy', 'fault', /does not send the address of the caller/],
  ],
  [
    'a proxy names one address for every caller',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            headers['x-forwarded-for'] = '198.51.100.7'
          },
          to: await startBehindProxy({ masterKeyIps: ['198.51.100.7'] }),
        }),
      ),
    }),
    ['address, proxy', 'fault', /sends the address 198\.51\.100\.7 for every caller/],
  ],
  [
    'a proxy passes on the address that a caller claims',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers, _from, given) => {
            if (given === undefined) delete headers['x-forwarded-for']
            else headers['x-forwarded-for'] = given
          },
          to: await startBehindProxy({ masterKeyIps: ['127.0.0.1', '::1'] }),
        }),
      ),
    }),
    ['address, proxy', 'fault', /trusts any address that a caller sends/],
  ],
  [
    'a proxy does not name the scheme',
    async () => ({
      settings: own(
        await startProxy({
          request: (headers) => {
            delete headers['x-forwarded-proto']
          },
        }),
      ),
    }),
    ['address, scheme', 'warning', /does not send X-Forwarded-Proto/],
  ],
  [
    'a proxy limits bodies',
    async () => ({ settings: own(await startProxy({ limit: 1024 * 1024 })) }),
    ['address, body limit', 'fault', /2 MB does not reach the server: the response is 413/],
  ],
  [
    'a proxy stores uploads',
    async () => ({ settings: own(await startProxy({ stores: 'requests' })) }),
    ['address, upload buffering', 'warning', /stores an upload/],
  ],
  [
    'a proxy stores responses',
    async () => ({ settings: own(await startProxy({ stores: 'responses' })) }),
    ['address, buffering', 'warning', /stores a response/],
  ],
  [
    'a proxy holds back the messages of sockets',
    async () => ({ settings: own(await startProxy({ isMute: true })) }),
    ['address, sockets', 'fault', /messages are held back/],
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
      port: Number(new URL(url).port),
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

test('doctor has nothing to say about a proxy that is well', async () => {
  const url = await startProxy({ to: await startBehindProxy({ masterKeyIps: ['127.0.0.0/8'] }) })
  const found = (await diagnose({ settings: own(url) })).filter(({ area }) => area === 'address')
  expect(found.filter(({ status }) => status === 'fault' || status === 'warning')).toEqual([])
})

/** HAProxy in front of a server, with the lines of its backend given. */
async function startHaproxy(lines: string[], target: TestServer): Promise<string> {
  const probe = createHttp()
  const port = await new Promise<number>((resolve) =>
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port)),
  )
  await new Promise((resolve) => probe.close(resolve))
  const path = join(folder, `haproxy-${port}.cfg`)
  await writeFile(
    path,
    [
      'defaults',
      '  mode http',
      '  timeout connect 5s',
      '  timeout client 60s',
      '  timeout server 60s',
      'frontend public',
      `  bind 127.0.0.1:${port}`,
      ...lines.map((line) => `  ${line}`),
      '  default_backend servers',
      'backend servers',
      `  server one ${new URL(target.url).host}`,
      '',
    ].join('\n'),
  )
  const started = spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' })
  ends.push(async () => started.kill('SIGKILL'))
  const url = `http://localhost:${port}`
  await vi.waitFor(() => fetch(`${url}/config.json`), { timeout: 10_000 })
  return url
}

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0
const forwarding = ['http-request set-header X-Forwarded-For %[src]', 'http-request set-header X-Forwarded-Proto http']
const haproxyRows: [string, string[], [check: string, text: RegExp] | undefined][] = [
  ['is well', forwarding, undefined],
  ['passes on what a caller claims', forwarding.slice(1), ['proxy', /trusts any address that a caller sends/]],
  ['names nobody', ['http-request del-header X-Forwarded-For', ...forwarding.slice(1)], ['proxy', /does not send/]],
  ['does not name the scheme', forwarding.slice(0, 1), ['scheme', /does not send X-Forwarded-Proto/]],
  [
    'names one address',
    ['http-request set-header X-Forwarded-For 127.0.0.1', ...forwarding.slice(1)],
    ['proxy', /sends the address 127\.0\.0\.1 for every caller/],
  ],
  [
    'limits bodies',
    [...forwarding, 'http-request deny deny_status 413 if { req.body_size gt 1048576 }'],
    ['body limit', /the response is 413/],
  ],
]

test.skipIf(!hasHaproxy).each(haproxyRows)('doctor examines an HAProxy that %s', async (_name, lines, expected) => {
  const url = await startHaproxy(lines, await startBehindProxy({ masterKeyIps: ['127.0.0.0/8'] }))
  const found = (await diagnose({ settings: own(url) })).filter(
    ({ area, status }) => area === 'address' && (status === 'fault' || status === 'warning'),
  )
  expect(found.map(({ check }) => check)).toEqual(expected ? [expected[0]] : [])
  if (expected) expect(found[0]?.message).toMatch(expected[1])
})
