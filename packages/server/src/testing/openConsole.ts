import type { ConfigInput } from '../config/Config.ts'
import { type Answer, createTestServer, type TestServer } from './createTestServer.ts'

export type ConsoleUser = { objectId: string; token: string }

/** Header that requests an operator's rights. */
export const inConsole = { 'X-Countersign-Console': '1' }

const names = ['root', 'helper', 'watcher', 'ann'] as const

/**
 * A server with an operator of each role (`root`, `helper`, `watcher`) and a user who is none (`ann`), for the tests of
 * a file: `beforeAll(office.start)`, `beforeEach(office.renew)`, `afterAll(office.stop)`.
 */
export function openConsole() {
  let server: TestServer | undefined
  let count = 0
  const empty = () => ({ objectId: '', token: '' })
  const people = { root: empty(), helper: empty(), watcher: empty(), ann: empty() }
  const get = () => {
    if (!server) throw new Error('The server of the console starts with the first test.')
    return server
  }
  const logIn = async (name: string) =>
    (await get().call('POST', '/login', { username: name, password: `${name} password` })).body.sessionToken as string
  const grant = (user: ConsoleUser, role: string): Promise<Answer> =>
    get().call('PUT', `/console/operators/${user.objectId}`, { role }, { master: true })

  const startWith = async (config: ConfigInput) => {
    server = await createTestServer(config)
    for (const name of names) Object.assign(people[name], await server.signUp(name, { email: `${name}@example.com` }))
    await grant(people.root, 'admin')
    await grant(people.helper, 'support')
    await grant(people.watcher, 'viewer')
  }

  return {
    ...people,
    start: () => startWith({}),
    /** The same with settings of its own. */
    startWith,
    /** Gives everybody a session whose proof is a moment old: before each test. */
    async renew() {
      for (const name of names) people[name].token = await logIn(name)
    },
    stop: async () => server?.stop(),
    get server() {
      return get()
    },
    logIn,
    grant,
    /** A request of the console; other headers in place of its own where they are given. */
    ask: (user: ConsoleUser | undefined, method: string, path: string, body?: unknown, headers: object = inConsole) =>
      get().call(method, path, body, { ...(user && { token: user.token }), headers: { ...headers } }),
    /** A user whose name ends with a unique number, which is `count` afterwards. */
    newUser: (name: string, fields: object = {}): Promise<ConsoleUser> => get().signUp(`${name}${++count}`, fields),
    get count() {
      return count
    },
  }
}
