import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { EndpointTypes, OperatorRecord, OperatorRole } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import type { Caller } from '../context/Caller.ts'
import { closeContext, createContext } from '../context/createContext.ts'
import type { Database } from '../db/Database.ts'
import { FolderInUse } from '../db/embedded/lockFolder.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { findKeys } from '../keys/loadKeys.ts'
import { newToken } from '../keys/secrets.ts'
import { createLogger } from '../log/createLogger.ts'
import { createOperatorLink, listOperators, removeOperator, setOperator } from '../users/operators.ts'
import { endSessions } from '../users/sessions/sessions.ts'
import { signUp } from '../users/signUp.ts'
import { findUser, findUserByName } from '../users/UserRow.ts'
import { openRequests } from './openSchemas.ts'
import type { Arguments } from './readArguments.ts'

type NewUser = { username: string; password: string; email?: string }

/** The operators, wherever they can be reached from here. */
type Operators = {
  /** Makes an account. A name that is taken is refused: who took it would become an operator. */
  create(user: NewUser): Promise<string>
  /** The id of a user by id or name. */
  find(user: string): Promise<string | undefined>
  list(): Promise<OperatorRecord[]>
  set(userId: string, role: OperatorRole): Promise<OperatorRecord>
  remove(userId: string): Promise<unknown>
  link(role: OperatorRole): Promise<EndpointTypes['createOperatorLink']['output']>
  close(): Promise<void>
}

/** `countersign admin create | grant | remove | list | link`: who may use the console. */
export async function runAdmin({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [what = '', name, ...more] = words
  const needsName = what === 'grant' || what === 'remove'
  if (!/^(create|grant|remove|list|link)$/.test(what) || more.length > 0 || needsName !== (name !== undefined)) {
    throw new ConfigError(
      'Usage: countersign admin create, grant USER, remove USER, list or link. See countersign help admin.',
    )
  }
  const role = readRole(options.role)
  if (what === 'create' && !options.username)
    throw new ConfigError('Pass the username of the new account: --username NAME.')
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const operators = await openOperators(await readConfig({ flags, configFile }), options.server)
  try {
    if (what === 'list') {
      for (const { objectId, username, role } of await operators.list())
        say(`${role.padEnd(8)} ${objectId}  ${username}`)
    } else if (what === 'link') {
      const { url, expiresAt } = await operators.link(role)
      say(`The first person who opens this link becomes an operator (${role}). It expires at ${expiresAt}:\n${url}`)
    } else if (what === 'create') {
      const username = options.username as string
      const asked = process.stdin.isTTY ? await askPassword() : ''
      const password = asked === '' ? newToken().slice(0, 20) : asked
      const userId = await operators.create({ username, password, ...(options.email && { email: options.email }) })
      await operators.set(userId, role)
      say(`${username} (${userId}) can now use the console as ${role}.`)
      if (asked === '') say(`Password  ${password}   (shown only once; change it after the first sign-in)`)
    } else {
      const userId = await operators.find(name as string)
      if (userId === undefined) throw new ConfigError(`User not found: ${name}.`)
      if (what === 'grant') await operators.set(userId, role)
      else await operators.remove(userId)
      say(
        what === 'grant'
          ? `${name} (${userId}) can now use the console as ${role}.`
          : `${name} (${userId}) is no longer an operator.`,
      )
    }
  } finally {
    await operators.close()
  }
}

function readRole(given = 'admin'): OperatorRole {
  if (given === 'admin' || given === 'support' || given === 'viewer') return given
  throw new ConfigError('--role must be admin, support or viewer.')
}

async function askPassword(): Promise<string> {
  process.stdout.write('Password (leave empty to generate one): ')
  // Hides typed characters.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const password = await terminal.question('')
  terminal.close()
  process.stdout.write('\n')
  return password
}

/** In the database itself; through the server where that one holds the data folder, or where it is named. */
async function openOperators(config: Config, server: string | undefined): Promise<Operators> {
  if (server !== undefined) return askServer(config, server)
  const { databaseUrl } = config
  // Looked at first: opening a folder makes a database in it, and a mistyped one must not become an installation.
  if (!databaseUrl && !(await findKeys(config))) {
    throw new ConfigError(
      'No installation found. Run countersign start to create one. If the server has run before, pass its data folder: --data FOLDER.',
    )
  }
  try {
    return await openDirectly(config, await openDatabase({ ...placeOf(config), patience: 0 }))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return askServer(config, server)
  }
}

async function openDirectly(config: Config, db: Database): Promise<Operators> {
  const options = { config, log: createLogger('warn'), opening: Promise.resolve(db) }
  const context = await createContext(options)
  const master: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
  return {
    async create(user) {
      const { objectId } = await signUp(context, master, user)
      await endSessions(context, objectId, null)
      return objectId
    },
    find: async (user) => ((await findUser(context, user)) ?? (await findUserByName(context, user)))?.objectId,
    list: async () => (await listOperators(context)).results,
    set: (userId, role) => setOperator(context, master, userId, role),
    remove: (userId) => removeOperator(context, master, userId),
    link: (role) => createOperatorLink(context, role),
    close: () => closeContext(context, options),
  }
}

async function askServer(config: Config, server: string | undefined): Promise<Operators> {
  const ask = await openRequests(config, server)
  return {
    async create(user) {
      const { objectId } = await ask<{ objectId: string }>('POST', '/users', user)
      await ask('POST', `/console/users/${objectId}/signOut`, {})
      return objectId
    },
    async find(user) {
      const { results } = await ask<EndpointTypes['listConsoleUsers']['output']>(
        'GET',
        `/console/users?limit=100&search=${encodeURIComponent(user)}`,
      )
      const name = user.normalize('NFKC').toLowerCase()
      const exact = results.find(
        ({ objectId, username }) => objectId === user || username.normalize('NFKC').toLowerCase() === name,
      )
      return exact?.objectId
    },
    list: async () => (await ask<{ results: OperatorRecord[] }>('GET', '/console/operators')).results,
    set: (userId, role) => ask('PUT', `/console/operators/${userId}`, { role }),
    remove: (userId) => ask('DELETE', `/console/operators/${userId}`),
    link: (role) => ask('POST', '/console/operatorLinks', { role }),
    close: async () => {},
  }
}
