import type { DestinationStream } from 'pino'
import type { Clock } from '../clock/Clock.ts'
import type { ConfigInput } from '../config/Config.ts'
import { readConfig } from '../config/readConfig.ts'
import type { Context } from '../context/Context.ts'
import { startServer } from '../http/startServer.ts'
import type { Live } from '../live/Live.ts'
import { createLogger } from '../log/createLogger.ts'
import { createRecentLogs } from '../log/recentLogs.ts'
import { openTestDatabase, type TestDatabase } from './openTestDatabase.ts'

export type Answer = {
  status: number
  body: Record<string, unknown> & { code?: number; error?: string }
  headers: Headers
  text: string
}
export type CallOptions = { token?: string; master?: boolean; headers?: Record<string, string> }

export type TestServer = {
  url: string
  /** The API's address. */
  serverUrl: string
  appId: string
  masterKey: string
  context: Context
  live: Live
  database: TestDatabase
  clock: TestClock
  logs: string[]
  /** A request with the application's id, over a real socket. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  signUp(username: string, fields?: object): Promise<{ objectId: string; token: string }>
  stop(): Promise<void>
}

export type TestClock = Clock & {
  forward(ms: number): void
  /** Sets the clock of this server alone: those of the database and of other servers stay right. */
  set(ms: number): void
  /** From now on it goes forward by `forward` alone, for what depends on the second. */
  stop(): void
}

/** A live server on a fresh database of the kind under test, or on a given one. */
export async function createTestServer(config: ConfigInput = {}, shared?: TestDatabase): Promise<TestServer> {
  const database = shared ?? (await openTestDatabase({ template: 'migrated' }))
  const logs: string[] = []
  const destination: DestinationStream = { write: (line) => void logs.push(line) }
  const clock = createTestClock()
  const settings = await readConfig({
    environment: {},
    folder: '/nonexistent',
    flags: {
      port: 0,
      dataFolder: 'memory://',
      files: { store: 'database' },
      usePublicNodes: false,
      checkResponses: true,
      overloadDelay: 0,
      ...config,
    },
  })
  const recentLogs = createRecentLogs()
  const log = createLogger('info', destination, recentLogs)
  const server = await startServer({ config: settings, log, recentLogs, clock, db: database.db })
  const url = `http://127.0.0.1:${server.port}`
  const serverUrl = `${url}${settings.mount}`
  const { appId, masterKey } = server.context.keys

  const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> => {
    const response = await fetch(`${serverUrl}${path}`, {
      method,
      headers: {
        'X-Parse-Application-Id': appId,
        ...(options.token && { 'X-Parse-Session-Token': options.token }),
        ...(options.master && { 'X-Parse-Master-Key': masterKey }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: readJson(text) }
  }

  return {
    url,
    serverUrl,
    appId,
    masterKey,
    context: server.context,
    live: server.live,
    database,
    clock,
    logs,
    call,
    async signUp(username, fields = {}) {
      const { status, body } = await call('POST', '/users', { username, password: `${username} password`, ...fields })
      if (status !== 201) throw new Error(`sign-up of ${username} failed: ${JSON.stringify(body)}`)
      return { objectId: body.objectId as string, token: body.sessionToken as string }
    },
    async stop() {
      await server.stop()
      if (!shared) await database.close()
    },
  }
}

function readJson(text: string): Answer['body'] {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function createTestClock(): TestClock {
  let ahead = 0
  let wrongBy = 0
  let stoppedAt: number | undefined
  const right = () => (stoppedAt ?? Date.now()) + ahead
  const ms = () => right() + wrongBy
  return {
    now: () => new Date(ms()),
    ms,
    shift: () => Math.round(right() - Date.now()),
    set: (by) => {
      wrongBy = by
    },
    forward: (by) => {
      ahead += by
    },
    stop: () => {
      stoppedAt = Date.now()
    },
  }
}
