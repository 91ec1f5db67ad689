import type { AudienceRecord, SecurityReport, WireFields } from '@countersign/protocol'
import { isSystemClass } from '../classes/names.ts'
import type { Context } from '../context/Context.ts'
import { showText } from '../encoding/showText.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { joinLines, type LogLine, type LogQuery } from '../log/recentLogs.ts'
import { createObject } from '../objects/createObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { findObjects } from '../objects/findObjects.ts'
import { getObject } from '../objects/getObject.ts'
import { updateObject } from '../objects/updateObject.ts'
import { protocolVersion, version } from '../version.ts'
import { createGathering, type Gathering } from '../work/createGathering.ts'

declare module '../context/Context.ts' {
  interface Services {
    /** Recent log lines of every worker. */
    logs?: Gathering<LogQuery, LogLine[]>
  }
}

/** Reports the lines of this worker to the others. Returns a function that ends it. */
export function shareLogs(context: Context): () => void {
  // Times come as text from another process.
  const read = ({ from, until, ...query }: LogQuery) =>
    context.recentLogs.list({ ...query, from: from && new Date(from), until: until && new Date(until) })
  const logs = createGathering('logs', read)
  context.services.logs = logs
  return logs.close
}

export const getServerInfoEndpoint = defineEndpoint('getServerInfo', {
  handle: async ({ context }) => ({
    features: featuresOf(context),
    parseServerVersion: protocolVersion,
    version,
  }),
})

export const listLogLinesEndpoint = defineEndpoint('listLogLines', {
  async handle({ context, input: { level = 'info', n, size, from, startDate = from, until, order } }) {
    const at = (moment: string | number | undefined) => (moment === undefined ? undefined : new Date(moment))
    const limit = n ?? size ?? 100
    const question = { level, limit, from: at(startDate), until: at(until) }
    const lists = (await context.services.logs?.ask(question)) ?? [context.recentLogs.list(question)]
    const lines = joinLines(lists, limit)
    if (order === 'asc') lines.reverse()
    return lines.map(({ at: time, text, details, level: grade }) => ({
      timestamp: time.toISOString(),
      level: grade,
      message: Object.keys(details).length > 0 ? `${text} ${JSON.stringify(details)}` : text,
      text,
      details: details as WireFields,
    }))
  },
})

export const listReleasesEndpoint = defineEndpoint('listReleases', { handle: async () => [] })

export const checkSecurityEndpoint = defineEndpoint('checkSecurity', {
  handle: async ({ context }) => ({ report: checkSecurity(context) }),
})

export const listAudiencesEndpoint = defineEndpoint('listAudiences', {
  async handle({ context, caller, input: { limit = 100, skip = 0 } }) {
    const page = { order: '-createdAt,objectId', limit: limit + 1, skip }
    const { results } = await findObjects(context, caller, '_Audience', page)
    return { results: (results as WireFields[]).slice(0, limit).map(readAudience), showMore: results.length > limit }
  },
})

export const createAudienceEndpoint = defineEndpoint('createAudience', {
  location: (output) => `/push_audiences/${(output as { objectId: string }).objectId}`,
  async handle({ context, caller, input: { name, query } }) {
    const { objectId, createdAt } = await createObject(context, caller, '_Audience', {
      name,
      query: JSON.stringify(query),
    })
    // The dashboard reads the id there, and would delete the audience "-1" otherwise.
    return { objectId, createdAt, new_audience: { objectId } }
  },
})

export const getAudienceEndpoint = defineEndpoint('getAudience', {
  handle: async ({ context, caller, params: { objectId } }) =>
    readAudience((await getObject(context, caller, '_Audience', objectId, {})) as WireFields),
})

export const updateAudienceEndpoint = defineEndpoint('updateAudience', {
  async handle({ context, caller, params: { objectId }, input: { name, query } }) {
    const { updatedAt } = await updateObject(context, caller, '_Audience', objectId, {
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query: JSON.stringify(query) }),
    })
    return { updatedAt }
  },
})

export const deleteAudienceEndpoint = defineEndpoint('deleteAudience', {
  handle: ({ context, caller, params: { objectId } }) => deleteObject(context, caller, '_Audience', objectId),
})

function featuresOf({ config: { push } }: Context): Record<string, Record<string, boolean>> {
  const isPushed = push?.adapter !== undefined || push?.web !== undefined
  return {
    globalConfig: { create: true, read: true, update: true, delete: true },
    hooks: { create: true, read: true, update: true, delete: true },
    cloudCode: { jobs: true },
    logs: { level: true, size: true, order: true, until: true, from: true },
    push: {
      immediatePush: isPushed,
      scheduledPush: false,
      storedPushData: isPushed,
      pushAudiences: isPushed,
      localization: false,
    },
    schemas: {
      addField: true,
      removeField: true,
      addClass: true,
      removeClass: true,
      clearAllDataFromClass: true,
      exportClass: false,
      editClassLevelPermissions: true,
      editPointerPermissions: true,
    },
    settings: { securityCheck: true },
  }
}

/** Objects of the class may have been written by other means: a query that is not JSON finds nothing out. */
function readAudience({ objectId, name, query, createdAt, updatedAt, lastUsed, timesUsed }: WireFields) {
  return {
    objectId,
    name: showText(name ?? '', 1_000),
    query: readQuery(query),
    createdAt,
    updatedAt,
    ...(lastUsed !== undefined && { lastUsed }),
    ...(timesUsed !== undefined && { timesUsed }),
  } as AudienceRecord
}

function readQuery(query: unknown): WireFields {
  try {
    const read: unknown = JSON.parse(String(query))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as WireFields
  } catch {}
  return {}
}

type Check = SecurityReport['groups'][number]['checks'][number]

const check = (title: string, isSafe: boolean, warning: string, solution: string): Check =>
  isSafe ? { title, state: 'success' } : { title, state: 'fail', warning, solution }

function checkSecurity({ config, keys, publicUrl, classes }: Context): SecurityReport {
  const own = classes.list().filter(({ className }) => !isSystemClass(className))
  const open = (...operations: ('create' | 'update' | 'delete' | 'addField')[]) =>
    own
      .filter(({ permissions }) => operations.some((name) => !permissions || permissions[name]?.['*'] === true))
      .map(({ className }) => className)
  const openTo = (found: string[]) =>
    `${found.slice(0, 20).join(', ')}${found.length > 20 ? ` and ${found.length - 20} more` : ''}`
  const [extended, deleted] = [open('addField'), open('delete')]
  const groups = [
    group('Keys and addresses', [
      check(
        'The master key cannot be guessed',
        keys.masterKey.length >= 20,
        'The master key has fewer than 20 characters, and it gives full access.',
        'Use a random key: openssl rand -hex 32.',
      ),
      check(
        'The master key works only from allowed addresses',
        !config.masterKeyIps.some((range) => /\/0$/.test(range)),
        'The master key works from every address.',
        'Set masterKeyIps to the addresses of your own servers.',
      ),
      check(
        'Callers cannot choose their address',
        config.trustProxy !== true,
        'trustProxy is true: the server trusts the first address in X-Forwarded-For.',
        'Set trustProxy to the number of your proxies, or to their addresses.',
      ),
      check(
        'The server is reached over HTTPS',
        publicUrl.startsWith('https:') || !config.production,
        'publicUrl is an http address: passwords and sessions can be read on the network.',
        'Put a TLS proxy in front of the server, and set publicUrl to its https address.',
      ),
    ]),
    group('Classes', [
      check(
        'Clients cannot create classes',
        !config.allowClientClassCreation,
        'Anyone can create classes.',
        'Set allowClientClassCreation to false.',
      ),
      check(
        'Clients cannot add fields',
        extended.length === 0,
        `Anyone can add fields to ${openTo(extended)}.`,
        'Remove addField for everyone from the permissions of these classes.',
      ),
      check(
        'Deleting is granted to some, not to everyone',
        deleted.length === 0,
        `The permissions of ${openTo(deleted)} let everyone delete: only the access list of an object protects it.`,
        'Remove delete for everyone from the permissions of these classes.',
      ),
    ]),
  ]
  return { version: '1.0.0', state: stateOf(groups), groups }
}

const group = (name: string, checks: Check[]) => ({ name, state: stateOf(checks), checks })

function stateOf(parts: { state: 'success' | 'fail' }[]): 'success' | 'fail' {
  return parts.every(({ state }) => state === 'success') ? 'success' : 'fail'
}
