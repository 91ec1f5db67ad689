import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../../server/bin/countersign.js')
const clock = join(import.meta.dirname, 'movableClock.mjs')
const hashes = join(import.meta.dirname, '../../../server/src/testing/cheapHashes.mjs')
// A process that lives for seconds gains nothing from V8's background optimization, and loses time waiting for it.
const brief = process.env.COUNTERSIGN_LONG_RUN ? [] : ['--liftoff-only', '--no-opt', '--single-threaded-gc']
const flags = [...brief, '--import', clock, '--import', hashes]

export type TestServer = {
  readonly appId: string
  readonly masterKey: string
  readonly origin: string
  readonly serverUrl: string
  /** Calls the API with the master key, past the code under test. */
  readonly asMaster: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
  /** Moves the server's clock forward. */
  readonly passTime: (milliseconds: number) => Promise<void>
  /** Ends the process; `start` brings it back on the same port with the same data. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends the process and deletes the data. */
  readonly remove: () => Promise<void>
}

/** The built server in a process of its own, on a free port and with folders of its own for data and cloud code. */
export async function startServer(config: object = {}, cloud: { [name: string]: string } = {}): Promise<TestServer> {
  const data = await mkdtemp(join(tmpdir(), 'countersign-react-'))
  const seed = globalThis.process.env.COUNTERSIGN_SEED
  if (seed) await cp(seed, data, { recursive: true })
  await writeFile(join(data, 'countersign.config.json'), JSON.stringify(config))
  await mkdir(join(data, 'cloud'))
  for (const [name, code] of Object.entries(cloud)) await writeFile(join(data, 'cloud', name), code)
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const appId = 'session-layer-tests'
  const masterKey = 'master-key-of-the-tests'
  let process = await launch()

  function launch() {
    const child = spawn(globalThis.process.execPath, [...flags, main, 'start'], {
      env: {
        PATH: globalThis.process.env.PATH,
        PORT: String(port),
        COUNTERSIGN_DATA: data,
        COUNTERSIGN_APP_ID: appId,
        COUNTERSIGN_MASTER_KEY: masterKey,
        COUNTERSIGN_LOG_LEVEL: 'error',
      },
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const deadline = Date.now() + 150_000
    let errors = ''
    child.stderr?.on('data', (chunk) => {
      errors += chunk
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    return waitUntilReady(origin, (last) => {
      const end = child.exitCode ?? child.signalCode
      if (end !== null) throw new Error(`The server ended with ${end}: ${errors}`)
      if (Date.now() > deadline) throw new Error(`The server is not ready: ${last}\n${errors}`)
    }).then(() => ({ child, exited }))
  }

  async function stop(): Promise<void> {
    process.child.kill('SIGTERM')
    await process.exited
  }

  return {
    appId,
    masterKey,
    origin,
    serverUrl: `${origin}/server`,
    async asMaster(method, path, body) {
      const headers = { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey }
      const { text } = await call(`${origin}/server${path}`, { method, headers, body: body && JSON.stringify(body) })
      return JSON.parse(text)
    },
    async passTime(milliseconds) {
      const { child } = process
      const moved = new Promise((resolve) => child.once('message', resolve))
      child.send(milliseconds)
      await moved
    },
    stop,
    async start() {
      process = await launch()
    },
    async remove() {
      await stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(origin: string, check: (last: string) => void): Promise<void> {
  for (let last = ''; ; ) {
    check(last)
    const answer = await call(`${origin}/ready`, { timeout: 5_000 }).catch((error: Error) => error)
    if (!(answer instanceof Error) && answer.status === 200) return
    last = answer instanceof Error ? answer.message : answer.text
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type Sending = { method?: string; headers?: Record<string, string>; body?: string; timeout?: number }

/** Not by `fetch`, which in a simulated page keeps to the rules of pages. */
function call(url: string, { body, ...options }: Sending = {}): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('No response in time.')))
    sent.end(body)
  })
}

/** A port below those that systems give to connections and to servers that name none. */
function findFreePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(findFreePort()) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
