import { z } from 'zod'
import type { WireFields } from '../values.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, fields, instant, listOf, nothing, refusedAs, text, wireObject, wireValue } from './fields.ts'
import { named, typed } from './typeNames.ts'

const mustBeWhole = 'of a gate must be a whole number, as a string of digits'
/** A contract's number: may be too large for JSON, so it may be text. */
const uint256 = z
  .union([z.int().min(0), z.string().regex(/^\d{1,78}$/, mustBeWhole)], mustBeWhole)
  .transform(BigInt)
  .refine((value) => value < 1n << 256n, mustBeWhole)

export const gate = z.object({
  role: z.string(refusedAs(undefined)).min(1, 'MissingRequiredField').max(200).describe('The name of the role'),
  chain: z.union([text(100), z.int().min(0)], refusedAs(undefined)).describe('Name or id'),
  kind: z.enum(['native', 'erc20', 'erc721', 'erc1155']),
  token: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
    .nullish()
    .describe('The contract; omit it for the native currency'),
  tokenId: uint256.nullish().describe('Token ID; required for ERC-1155, optional for ERC-721'),
  amount: uint256
    .refine((value) => value > 0n, 'of a gate must be above 0')
    .nullish()
    .describe('Minimum balance, in the smallest unit; 1 by default'),
})

const gateRecord = named(
  'TokenGateRecord',
  z
    .strictObject({
      objectId: z.string(),
      role: z.string(),
      chain: z.number(),
      kind: z.string(),
      token: z.string().optional(),
      tokenId: z.string().optional(),
      amount: z.string(),
      createdAt: instant,
      checkedAt: instant.optional(),
      block: z.number().optional(),
      error: z.string().optional(),
      members: z.number(),
    })
    .describe('A token that grants a role. Amounts and ids are decimal strings.'),
)

const settingName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, 'InvalidKeyName')
const settings = <Value extends z.ZodType>(value: Value) =>
  z
    .record(settingName, value, 'InvalidJson')
    .refine((given) => Object.keys(given).length <= 1_000, 'must have at most 1,000 names')

/** The parse-server dashboard deletes the flag together with its parameter: without one it is for everyone. */
const masterKeyFlag = z
  .union([z.boolean(), z.object({ __op: z.literal('Delete') })], 'InvalidJson: must be true or false')
  .transform((flag) => flag === true)

/** As many as the dashboard of parse-server sends, and as clients write them into a query. */
const lineCount = z.int().min(1).max(1_000).optional()
const moment = z
  .union([z.iso.datetime({ offset: true }), z.number().min(0).max(8.64e15)], 'must be an ISO time or milliseconds')
  .optional()

const checkState = z.enum(['success', 'fail'])

const mustBeQuery = 'must be the conditions of a query, as an object or as its JSON'
const audienceName = z.string(refusedAs(undefined)).min(1).max(200)
const audienceQuery = z
  .union([wireObject, text(20_000)], mustBeQuery)
  .transform((given, refined) => {
    const query = typeof given === 'string' ? readObject(given) : given
    if (query !== undefined) return query
    refined.addIssue({ code: 'custom', message: mustBeQuery, input: given })
    return z.NEVER
  })
  .refine((query) => JSON.stringify(query).length <= 20_000, 'must have at most 20,000 characters')

function readObject(json: string): WireFields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as WireFields) : undefined
  } catch {
    return undefined
  }
}

const audienceRecord = named(
  'AudienceRecord',
  z
    .strictObject({
      objectId: z.string(),
      name: z.string(),
      query: fields,
      createdAt: instant,
      updatedAt: instant,
      lastUsed: wireValue.optional(),
      timesUsed: z.number().optional(),
    })
    .describe('Named query for devices that receive pushes.'),
)

const logLine = named(
  'LogLineRecord',
  z
    .strictObject({
      timestamp: instant,
      level: z.string(),
      message: z.string().describe('The message, followed by its details as JSON.'),
      text: z.string(),
      details: fields,
    })
    .describe("A line of the server's log, in the format of the parse-server dashboard."),
)

const securityReport = named(
  'SecurityReport',
  z
    .strictObject({
      version: z.string(),
      state: checkState,
      groups: z.array(
        z.strictObject({
          name: z.string(),
          state: checkState,
          checks: z.array(
            z.strictObject({
              title: z.string(),
              state: checkState,
              warning: z.string().optional(),
              solution: z.string().optional(),
            }),
          ),
        }),
      ),
    })
    .describe('Security checks of the server, in the format of parse-server.'),
)

const connectionRecord = named(
  'ConnectionRecord',
  z
    .strictObject({
      address: z.string(),
      isForwarded: z.boolean().describe('True if a trusted proxy sent the address of the caller.'),
      host: z.string(),
      forwardedFor: z.string().optional(),
      forwardedProto: z.string().optional(),
      forwardedHost: z.string().optional(),
      time: instant,
    })
    .describe('The request, as the server sees it.'),
)

const auditRecord = named(
  'AuditRecord',
  z
    .strictObject({
      id: z.string(),
      at: instant,
      actor: z
        .string()
        .describe('`masterKey`, `user:<id>`, `server`, or `database` for a change recorded by the database.'),
      action: z.string(),
      subject: z.string(),
      details: fields,
      address: z.string().optional(),
      position: z.number().optional().describe('Position in the hash chain; set shortly after it was written.'),
      hash: z.string().optional().describe('Hash of this and all earlier entries.'),
    })
    .describe('A change of rights or accounts.'),
)

const auditVerdict = named(
  'AuditVerdict',
  z
    .strictObject({
      isIntact: z.boolean(),
      entries: z.number(),
      anchors: z.number().describe('Number of anchors outside the database, in files and backups, that were compared.'),
      pending: z.number().describe('Entries that are not in the chain yet.'),
      head: z.string().optional().describe('End of the chain, as an anchor to keep on another machine.'),
      faults: z.array(z.string()),
    })
    .describe('Integrity of the audit log.'),
)

const outboxMail = named(
  'OutboxMail',
  z
    .strictObject({
      id: z.string(),
      to: z.string(),
      subject: z.string(),
      text: z.string(),
      link: z.string().nullable().describe('The link in the email.'),
      createdAt: instant,
    })
    .describe('An email that was captured because no SMTP server is configured.'),
)

/** Endpoints for operators: token gates, settings of the application, unsent mails. */
export const operations = {
  sendPush: {
    method: 'POST',
    path: '/push',
    summary: 'Send a push notification to the devices that match a query.',
    access: 'master',
    input: z.object({
      where: z.record(z.string(), wireValue).optional(),
      channels: z.array(text(200)).max(1_000).optional(),
      audience_id: text(100).optional(),
      data: z.record(z.string(), wireValue).default({}),
      expiration_time: z.union([text(50), z.number()]).optional(),
      expiration_interval: z.number().min(0).max(100_000_000).optional(),
      push_time: z.union([text(50), z.number()]).optional(),
    }),
    output: z.strictObject({ result: z.literal(true) }),
  },
  getPushKey: {
    method: 'GET',
    path: '/push/key',
    scope: 'config:read',
    summary: 'Public key for Web Push subscriptions.',
    session: 'tolerated',
    output: z.strictObject({ publicKey: z.string() }),
  },
  listTokenGates: {
    method: 'GET',
    path: '/tokenGates',
    summary: 'Token gates, optionally of one `role`.',
    access: 'master',
    textQuery: true,
    input: z.object({ role: text(200).optional() }),
    output: listOf(gateRecord),
  },
  createTokenGate: {
    method: 'POST',
    path: '/tokenGates',
    summary: 'Give a role to holders of a token, for as long as a linked wallet has it.',
    access: 'master',
    status: 201,
    input: gate,
    output: gateRecord,
    reasons: ['nodeUnavailable'],
  },
  getTokenGate: {
    method: 'GET',
    path: '/tokenGates/:objectId',
    summary: 'A token gate with its last check and number of members.',
    access: 'master',
    params: byId,
    output: gateRecord,
  },
  deleteTokenGate: {
    method: 'DELETE',
    path: '/tokenGates/:objectId',
    summary: 'Delete a token gate, and the roles that it alone gave.',
    access: 'master',
    params: byId,
    output: nothing,
  },
  checkTokenGate: {
    method: 'POST',
    path: '/tokenGates/:objectId/check',
    summary: 'Check every wallet for a token gate now.',
    access: 'master',
    params: byId,
    output: gateRecord,
    reasons: ['nodeUnavailable'],
  },
  getConfig: {
    method: 'GET',
    path: '/config',
    scope: 'config:read',
    summary: 'Settings of the application. Some need the master key.',
    output: z.strictObject({ params: fields, masterKeyOnly: z.record(z.string(), z.boolean()).optional() }),
  },
  updateConfig: {
    method: 'PUT',
    path: '/config',
    scope: 'config:write',
    summary: 'Change settings of the application.',
    access: 'master',
    input: z.object({
      params: typed('WireChanges', settings(wireValue)).optional(),
      masterKeyOnly: settings(masterKeyFlag).optional(),
    }),
    output: z.strictObject({ result: z.literal(true) }),
  },
  getServerInfo: {
    method: 'GET',
    path: '/serverInfo',
    scope: 'monitoring:read',
    summary: 'Features of this server.',
    access: 'master',
    output: z.strictObject({
      features: z.record(z.string(), z.record(z.string(), z.boolean())),
      parseServerVersion: z.string(),
      version: z.string(),
    }),
  },
  getHealth: {
    method: 'GET',
    path: '/health',
    scope: 'any',
    summary: 'Check that the server responds.',
    output: z.strictObject({ status: z.literal('ok') }),
  },
  listLogLines: {
    method: 'GET',
    path: '/scriptlog',
    scope: 'monitoring:read',
    summary: 'Recent log lines of this server, newest first by default.',
    access: 'master',
    input: z.object({
      level: z
        .enum(['debug', 'verbose', 'info', 'warn', 'error'])
        .optional()
        .describe('Minimum level; info by default'),
      n: lineCount.describe('Maximum number of lines; 100 by default'),
      size: lineCount.describe('The same'),
      from: moment,
      startDate: moment.describe('The same as from'),
      until: moment,
      order: z.enum(['asc', 'desc']).optional(),
    }),
    output: z.array(logLine),
  },
  listReleases: {
    method: 'GET',
    path: '/releases/latest',
    scope: 'monitoring:read',
    summary: 'Empty list, for legacy dashboards: cloud code is read from files.',
    access: 'master',
    output: z.array(fields),
  },
  checkSecurity: {
    method: 'GET',
    path: '/security',
    scope: 'monitoring:read',
    summary: "Check the security of the server's setup.",
    access: 'master',
    output: z.strictObject({ report: securityReport }),
  },
  listAudiences: {
    method: 'GET',
    path: '/push_audiences',
    summary: 'Saved device queries, newest first.',
    access: 'master',
    input: z.object({
      limit: z.int().min(1).max(1_000).optional(),
      skip: z.int().min(0).max(1_000_000).optional(),
    }),
    output: z.strictObject({ results: z.array(audienceRecord), showMore: z.boolean() }),
  },
  createAudience: {
    method: 'POST',
    path: '/push_audiences',
    summary: 'Save a device query. A push names it by `audience_id`.',
    access: 'master',
    status: 201,
    input: z.object({ name: audienceName, query: audienceQuery }),
    output: z.strictObject({
      objectId: z.string(),
      createdAt: instant,
      new_audience: z.strictObject({ objectId: z.string() }),
    }),
  },
  getAudience: {
    method: 'GET',
    path: '/push_audiences/:objectId',
    summary: 'A saved device query.',
    access: 'master',
    params: byId,
    output: audienceRecord,
  },
  updateAudience: {
    method: 'PUT',
    path: '/push_audiences/:objectId',
    summary: 'Change a saved device query.',
    access: 'master',
    params: byId,
    input: z.object({ name: audienceName.optional(), query: audienceQuery.optional() }),
    output: z.strictObject({ updatedAt: instant }),
  },
  deleteAudience: {
    method: 'DELETE',
    path: '/push_audiences/:objectId',
    summary: 'Delete a saved device query.',
    access: 'master',
    params: byId,
    output: nothing,
  },
  getConnection: {
    method: 'GET',
    path: '/connection',
    scope: 'monitoring:read',
    summary: 'This request as the server sees it: address, host, proxy headers.',
    access: 'master',
    binds: 'begins',
    output: connectionRecord,
  },
  probeConnection: {
    method: 'POST',
    path: '/connection',
    summary: 'Read and drop a body of up to 16 MB, and say how it arrived. The response has a pause of one second.',
    access: 'master',
    output: z.strictObject({
      size: z.number().describe('Bytes'),
      arrival: z.number().describe('Milliseconds from the head of the request to the end of its body'),
    }),
  },
  listAudit: {
    method: 'GET',
    path: '/audit',
    scope: 'audit:read',
    summary: 'Audit log, newest first.',
    access: 'master',
    textQuery: true,
    input: z.object({
      before: z
        .string()
        .regex(/^\d{1,18}$/, 'must be the id of an entry')
        .optional()
        .describe('ID of the last entry of the previous page'),
      limit: z
        .string()
        .regex(/^([1-9]\d?|100)$/, 'must be from 1 to 100')
        .optional(),
      actor: text(200).optional(),
      action: text(200).optional(),
      subject: text(200).optional(),
      person: text(200).optional().describe('ID or username: entries by this user, also as an operator'),
      since: instant.optional(),
      until: instant.optional(),
    }),
    output: z.strictObject({
      results: z.array(auditRecord),
      names: z.record(z.string(), z.string()).describe('Names of the users and roles in the entries, by ID'),
    }),
  },
  verifyAudit: {
    method: 'GET',
    path: '/audit/verification',
    scope: 'audit:read',
    summary: 'Check that no entry of the audit log was changed, removed, added or moved.',
    access: 'master',
    textQuery: true,
    input: z.object({
      anchor: z
        .string()
        .regex(/^\d{1,15}:[0-9a-fA-F]{64}$/, 'must be an anchor returned by a verification')
        .optional(),
    }),
    output: auditVerdict,
  },
  listOutbox: {
    method: 'GET',
    path: '/outbox',
    summary: 'Mails kept because no SMTP server is configured. Master key, or the web application in development.',
    session: 'dropped',
    output: listOf(outboxMail),
  },
} as const satisfies Record<string, EndpointContract>
