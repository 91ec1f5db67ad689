import { CountersignError, type EndpointName, type EndpointTypes, type WireFields } from '@countersign/protocol'
import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { writeAudit } from '../audit/startAudit.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { closeContext, createContext } from '../context/createContext.ts'
import type { Database } from '../db/Database.ts'
import { FolderInUse } from '../db/embedded/lockFolder.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { findKeys } from '../keys/loadKeys.ts'
import { createLogger } from '../log/createLogger.ts'
import { openRequests, type Requests } from './openSchemas.ts'
import type { Arguments } from './readArguments.ts'

/** Endpoints with the master key, wherever the installation can be reached from here. */
export type Installation = {
  call<Name extends EndpointName>(
    name: Name,
    input: EndpointTypes[Name]['input'],
  ): Promise<EndpointTypes[Name]['output']>
  close(): Promise<void>
}

/** Runs a command on the endpoints of an installation, with a function that prints a line. */
export async function withInstallation(
  { flags, configFile, options }: Arguments,
  run: (installation: Installation, say: (line: string) => void) => Promise<void>,
): Promise<void> {
  const installation = await openInstallation(await readConfig({ flags, configFile }), options.server)
  try {
    await run(installation, (line) => void process.stdout.write(`${line}\n`))
  } finally {
    await installation.close()
  }
}

/** In the database itself; through the server where that one holds the data folder, or where it is named. */
async function openInstallation(config: Config, server: string | undefined): Promise<Installation> {
  if (server !== undefined) return throughServer(config, server)
  // Looked at first: opening a folder makes a database in it, and a mistyped one must not become an installation.
  if (!config.databaseUrl && !(await findKeys(config))) {
    throw new ConfigError(
      'No installation found. Run countersign start to create one. If the server has run before, pass its data folder: --data FOLDER.',
    )
  }
  try {
    return await openDirectly(config, await openDatabase({ ...placeOf(config), patience: 0 }))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return throughServer(config, server)
  }
}

async function throughServer(config: Config, server: string | undefined): Promise<Installation> {
  return { call: callBy(await openRequests(config, server)), close: async () => {} }
}

async function openDirectly(config: Config, db: Database): Promise<Installation> {
  const options = { config, log: createLogger('warn'), opening: Promise.resolve(db) }
  const context = await createContext(options)
  // Loaded here alone: they are all handlers of the server.
  const { createAsk } = await import('../http/createAsk.ts')
  const { createRouter } = await import('../http/request/createRouter.ts')
  const { endpoints } = await import('../http/generated/endpoints.ts')
  const { describeForAudit, isAudited } = await import('../http/request/auditRequest.ts')
  const findEndpoint = createRouter(endpoints)
  const ask = createAsk(context, findEndpoint)
  const { appId, masterKey } = context.keys
  const send: Requests = async (method, path, body = {}) => {
    const keys = { _ApplicationId: appId, _MasterKey: masterKey }
    const answer = await ask({ method, path, body: JSON.stringify({ ...body, ...keys }) })
    if ('error' in answer) throw new CountersignError(answer.error.code, answer.error.error)
    const match = findEndpoint(method, path.split('?', 1)[0] ?? '')
    const caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
    if (match && isAudited({ method, match }, caller)) {
      const entry = describeForAudit({ match, body }, caller, answer.output as object)
      await writeAudit(context, [{ ...entry, at: context.clock.now() }])
    }
    return answer.output as never
  }
  return { call: callBy(send), close: () => closeContext(context, options) }
}

/** Calls by the name of the endpoint, with method and path from the contract. */
function callBy(send: Requests): Installation['call'] {
  return (name, input) => {
    const { method, path, textQuery }: EndpointContract = contract[name]
    const fields = new Map(Object.entries(input))
    const filled = path.replace(/:(\w+)/g, (_, parameter: string) => {
      const value = String(fields.get(parameter) ?? '')
      fields.delete(parameter)
      // The URL parser takes such parts out of the path, which would then be another.
      if (value === '' || /^\.{1,2}$/.test(value)) throw new ConfigError(`Not found: ${value || 'nothing is named'}.`)
      return encodeURIComponent(value)
    })
    const given = [...fields].filter(([, value]) => value !== undefined)
    if (method !== 'GET') return send(method, filled, Object.fromEntries(given) as WireFields)
    const encode = textQuery ? String : (value: unknown) => JSON.stringify(value)
    const query = given.map(([key, value]) => `${key}=${encodeURIComponent(encode(value))}`).join('&')
    return send(method, query === '' ? filled : `${filled}?${query}`)
  }
}
