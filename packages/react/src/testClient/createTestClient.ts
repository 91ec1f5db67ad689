import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Client, ClientOptions } from '../core/client/Client.ts'
import { readDocument } from '../core/documents/findDocuments.ts'
import { toCountersignError } from '../core/errors/errors.ts'
import { connectClient } from '../core/setup/connectClient.ts'
import { createClient } from '../core/setup/createClient.ts'
import type { NewFields } from '../core/values/Changes.ts'
import type { Doc } from '../core/values/Document.ts'
import { decode, type UserFields } from '../core/values/decode.ts'
import { encode } from '../core/values/encode.ts'
import type { FieldValue } from '../core/values/FieldValue.ts'
import type { ClassName } from '../core/values/Register.ts'
import { createMemoryServer } from './memoryServer.ts'

type Fields = { readonly [field: string]: unknown }

/** A request of the client under test. */
export type SentRequest = {
  readonly method: string
  /** Below the server's mount, such as `/classes/Game`. */
  readonly path: string
  /** The body, or the parameters of the address. */
  readonly input: Fields
}

/** Scripted response: `body` as JSON. A status from 400 up is a refusal; give it `{ code, error }`. */
export type ScriptedResponse = { readonly status?: number; readonly body?: unknown }

export type TestClientOptions = Omit<
  ClientOptions,
  'appId' | 'serverUrl' | 'fetch' | 'storage' | 'session' | 'initialSession'
> & {
  /** Signed in from the first render on; a guest if absent. */
  readonly user?: { readonly objectId?: string; readonly username?: string; readonly [field: string]: unknown }
  /** The documents that the server has, by class. Those without `objectId` get `Game1`, `Game2` and so on. */
  readonly documents?: { readonly [className: string]: readonly Fields[] }
  /** Functions of the application. A throw is a refusal. */
  readonly functions?: { readonly [name: string]: (input: never) => unknown }
  /** Response in place of the documents and functions; `undefined` leaves a request to them. */
  readonly respond?: (request: SentRequest) => ScriptedResponse | undefined | Promise<ScriptedResponse | undefined>
}

export type TestClient = Client & {
  /** Sent requests, oldest first. */
  readonly requests: readonly SentRequest[]
  /** Changes by others on the server: live queries update immediately, other hooks when they read again. */
  readonly server: {
    readonly list: <Name extends ClassName>(className: Name) => readonly Doc<Name>[]
    /** Creates a document, or changes the one with this `objectId`. */
    readonly save: <Name extends ClassName>(
      className: Name,
      fields: Partial<NewFields<Name>> & { readonly objectId?: string },
    ) => Doc<Name>
    readonly delete: (className: ClassName, objectId: string) => void
  }
}

const appId = 'test'
const serverUrl = 'http://countersign.test/server'
const token = 'r:test'

/**
 * A client for unit tests of components: initialized, with a user if one is given, and with documents in memory.
 * Nothing leaves the process. Queries, saves, batches, pages, functions and live queries work; permissions are not
 * checked, and unsupported requests (`$near`, wallets …) are left to `respond`.
 *
 * @example
 * const client = createTestClient({
 *   user: { username: 'ada' },
 *   documents: { Game: [{ title: 'Chess', score: 6 }] },
 * })
 * render(<CountersignProvider client={client}><Scores /></CountersignProvider>)
 * expect(await screen.findByText('Chess')).toBeDefined()
 */
export function createTestClient(options: TestClientOptions = {}): TestClient {
  const { user, documents = {}, functions = {}, respond, ...rest } = options
  const initial = Object.entries(documents).map(([name, rows]) => [name, rows.map(write)] as const)
  const memory = createMemoryServer(Object.fromEntries(initial))
  const requests: SentRequest[] = []
  let current = user && memory.save('_User', write({ username: 'user', ...user }))

  async function answer(request: SentRequest): Promise<ScriptedResponse> {
    const scripted = await respond?.(request)
    if (scripted) return scripted
    const { method, path } = request
    const input = request.input as WireFields
    const known = answerAccount(method, path, input) ?? (await answerFunction(path, input))
    const body = known ?? memory.answer(method, path, input)
    if (body) return { body }
    throw new CountersignError('OtherCause', `createTestClient has no response to ${method} ${path}.`, {
      status: 404,
      details: 'Add one with its option `respond`.',
    })
  }

  function answerAccount(method: string, path: string, input: WireFields): object | undefined {
    if (path === '/logout') {
      current = undefined
      return {}
    }
    if (path === '/users/me') return shown(requireCurrent())
    if (path === '/login') {
      current = memory.list('_User').find(({ username, password }) => {
        return username === input.username && (password === undefined || password === input.password)
      })
      if (!current) throw new CountersignError('ObjectNotFound', 'Invalid username/password.')
      return { ...shown(current), sessionToken: token }
    }
    if (path !== '/users' || method !== 'POST') return undefined
    if (memory.list('_User').some(({ username }) => username === input.username)) {
      throw new CountersignError('UsernameTaken', 'Account already exists for this username.')
    }
    current = memory.save('_User', input)
    return { ...shown(current), sessionToken: token }
  }

  function requireCurrent(): UserFields {
    if (!current) throw new CountersignError('InvalidSessionToken', 'Invalid session token')
    return memory.list('_User').find(({ objectId }) => objectId === current?.objectId) ?? current
  }

  async function answerFunction(path: string, input: WireFields): Promise<object | undefined> {
    const [, name = ''] = path.match(/^\/functions\/(.+)$/) ?? []
    const run = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!run) return undefined
    const result = await run(decode(input) as never)
    return result === undefined ? {} : { result: encode(result as FieldValue, 'result') }
  }

  const client = createClient({
    attemptLimit: 1,
    ...rest,
    appId,
    serverUrl,
    async fetch(address, init) {
      const request = readRequest(String(address), init)
      requests.push(request)
      // A response never comes in the same turn as its request.
      await Promise.resolve()
      const { status = 200, body = {} } = await answer(request).catch((cause) => {
        const error = toCountersignError(cause)
        const { code, message, details, reason } = error
        return { status: error.status || 400, body: { code, error: message, details, reason } }
      })
      return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
    },
  })
  const record = current && { credential: { id: 'test', token }, user: shown(current) }
  connectClient(client, { appId, serverUrl, installationId: 'test' }, record)
  client.internal.live = memory.live
  const toDocument = <Name extends ClassName>(className: Name, row: object) =>
    readDocument<Doc<Name>>(className, Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'password')))
  return Object.assign(client, {
    requests,
    server: {
      list: (className) => memory.list(className).map((row) => toDocument(className, row)),
      save: (className, fields) => toDocument(className, memory.save(className, write(fields))),
      delete: memory.remove,
    },
  } satisfies Omit<TestClient, keyof Client>)
}

/** Values of an application as the wire has them; times of documents are plain texts there. */
function write(fields: Fields): WireFields {
  const entries = Object.entries(fields).filter(([name]) => name !== 'className' && name !== '__type')
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (value === undefined) return []
      const isTime = (name === 'createdAt' || name === 'updatedAt') && value instanceof Date
      return [[name, isTime ? value.toISOString() : encode(value as FieldValue, name)]]
    }),
  )
}

function shown({ password: _, ...record }: UserFields & { password?: WireValue }): UserFields {
  return record as UserFields
}

function readRequest(address: string, init: RequestInit | undefined): SentRequest {
  const { pathname, searchParams } = new URL(address)
  const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as WireFields) : {}
  const { _method, ...sent } = body
  const query = [...searchParams].map(([name, text]) => [name, parse(text)])
  return {
    method: String(_method ?? init?.method ?? 'GET'),
    path: decodeURIComponent(pathname.replace(/^\/server/, '')),
    input: { ...Object.fromEntries(query), ...sent },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
