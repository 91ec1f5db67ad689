import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, className, fields, instant, listOf, text, wireValue } from './fields.ts'
import { gate } from './operations.ts'
import { named } from './typeNames.ts'

const scheduleRecord = named(
  'ConsoleScheduleRecord',
  z
    .strictObject({
      objectId: z.string().optional().describe('Set for schedules created by a request; the others are in the code'),
      cron: z.string().optional(),
      timeZone: z.string().optional(),
      startAfter: z.string().optional(),
      repeatMinutes: z.number().optional(),
      description: z.string().optional(),
      next: instant.optional(),
      error: z.string().optional().describe('Why the schedule is invalid'),
    })
    .describe('When a job runs.'),
)

const jobRecord = named('ConsoleJobRecord', z.strictObject({ name: z.string(), schedules: z.array(scheduleRecord) }))

/** Said by the caller, so that nothing else becomes a rotation by mistake. */
const confirmed = z.object({ confirm: z.literal(true) })

const rotated = z.strictObject({
  resealed: z.number().describe('Number of re-encrypted values'),
  unreadable: z.number().describe('Number of values that could not be decrypted'),
  masterKey: z.string().optional().describe('The new master key, if one was created; only in this response'),
})

const functionRecord = named(
  'ConsoleFunctionRecord',
  z
    .strictObject({
      name: z.string(),
      input: fields.optional().describe('A JSON Schema; absent if the code declares none'),
      requires: z.array(z.string()).describe('user, master, or role: with the name of a role'),
      isRemote: z.boolean(),
    })
    .describe('A function of the application.'),
)

const slowQueryRecord = named(
  'SlowQueryRecord',
  z
    .strictObject({
      objectId: z.string(),
      className: z.string(),
      operation: z.enum(['find', 'count']),
      shape: z.string().describe('`author = ? and score > ?`; empty if there are no conditions.'),
      order: z.string().describe('`-createdAt, name`; empty if there is no order.'),
      count: z.number(),
      average: z.number().describe('Milliseconds.'),
      slowest: z.number(),
      lastSeen: instant,
      hasPlan: z.boolean(),
      index: z
        .strictObject({
          name: z.string(),
          fields: z.record(z.string(), z.union([z.literal(1), z.literal(-1), z.literal('text')])),
        })
        .optional()
        .describe('Same format as in updateSchema; absent if an index exists already or none would help'),
    })
    .describe('Slow queries of one shape on the responding server, without values.'),
)

const keyList = named(
  'KeyList',
  z
    .strictObject({
      isRotating: z.boolean().describe('Previous keys still work'),
      results: z.array(
        z.strictObject({
          name: z.enum(['appId', 'javascriptKey', 'masterKey', 'secret']),
          source: z.enum(['made', 'configuration']),
          value: z.string().optional(),
          hasFormer: z.boolean(),
        }),
      ),
    })
    .describe('The keys of the application. Secret ones have no value here.'),
)

const backupRecord = named(
  'BackupRecord',
  z
    .strictObject({
      name: z.string(),
      place: z.string(),
      started: instant,
      finished: instant.optional(),
      bytes: z.number().optional(),
      sha256: z.string().optional(),
      error: z.string().optional(),
    })
    .describe('An automatic backup; without `finished` and `error` it is in progress or was abandoned.'),
)

const backupList = named(
  'BackupList',
  z.strictObject({
    isSet: z.boolean().describe('Set if the configuration has a target for backups'),
    every: z.number().optional().describe('Hours between backups'),
    keep: z.number().optional(),
    isEncrypted: z.boolean(),
    results: z.array(backupRecord),
  }),
)

const nodeRecord = named(
  'NodeRecord',
  z
    .strictObject({
      host: z.string().describe('Without path and query, which may contain keys'),
      status: z.enum(['ready', 'resting', 'unused']),
      requests: z.number(),
      failures: z.number(),
      requestsPerSecond: z.number(),
      latency: z.number().optional().describe('Milliseconds of the last response'),
      lastError: z.string().optional(),
    })
    .describe('A node as operators see it: only the host, because path and query may contain keys.'),
)

const chainStatusRecord = named(
  'ChainStatusRecord',
  z
    .strictObject({
      chain: z.number(),
      name: z.string(),
      head: z.strictObject({ number: z.number(), at: instant }).optional(),
      headError: z.string().optional(),
      nodes: z.array(nodeRecord),
      index: z
        .strictObject({
          block: z.number(),
          blockTime: instant,
          finalized: z.number(),
          status: z.enum(['SYNCED', 'SYNCING']),
          progress: z.number(),
          blocksLeft: z.number(),
          blocksPerSecond: z.number(),
          secondsLeft: z.number().optional(),
          contracts: z.number(),
          addresses: z.number(),
          error: z.string().optional(),
          running: z.boolean(),
        })
        .optional(),
    })
    .describe('A chain with its nodes; `index` if the chain is indexed.'),
)

/** Endpoints for the application's code and for indexed chains. */
export const consoleOperations = {
  listConsoleFunctions: {
    method: 'GET',
    path: '/console/functions',
    summary: 'Functions of the application with input and access.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: listOf(functionRecord),
  },
  listConsoleJobs: {
    method: 'GET',
    path: '/console/jobs',
    scope: 'jobs:read',
    summary: 'Jobs of the application with schedules and next runs.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: listOf(jobRecord),
  },
  previewSchema: {
    method: 'GET',
    path: '/console/schema',
    scope: 'schema:read',
    summary: 'Preview a change to a class, as steps and as a schema file.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    input: z.object({
      className: className.min(1),
      fields: z.record(z.string().max(200), wireValue).optional().describe('Same format as in updateSchema'),
      indexes: z.record(z.string().max(200), wireValue).optional().describe('Same format as in updateSchema'),
      drop: z.boolean().optional().describe('The whole class'),
    }),
    output: z.strictObject({
      plan: z.array(z.strictObject({ text: z.string(), drops: z.boolean() })),
      file: z.string(),
    }),
  },
  listSlowQueries: {
    method: 'GET',
    path: '/console/slowQueries',
    scope: 'monitoring:read',
    summary: 'Shapes of slow queries on this server, without values, with a suggested index.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: z.strictObject({
      since: instant,
      threshold: z.number().describe('Queries that take longer (milliseconds) are recorded'),
      results: z.array(slowQueryRecord),
    }),
  },
  getQueryPlan: {
    method: 'GET',
    path: '/console/slowQueries/:objectId/plan',
    scope: 'monitoring:read',
    summary: 'Query plan of a recorded shape.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    params: byId,
    output: z.strictObject({ plan: z.string() }),
  },
  listKeys: {
    method: 'GET',
    path: '/console/keys',
    summary: 'Keys by name and origin, without secret values.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: keyList,
  },
  rotateKeys: {
    method: 'POST',
    path: '/console/keys/rotate',
    summary: 'Create new keys and encrypt everything again. Former keys still work.',
    access: 'operator',
    operators: ['admin'],
    input: confirmed,
    output: rotated,
  },
  retireKeys: {
    method: 'POST',
    path: '/console/keys/retire',
    summary: 'Revoke the former keys.',
    access: 'operator',
    operators: ['admin'],
    input: confirmed,
    output: rotated,
  },
  listBackups: {
    method: 'GET',
    path: '/console/backups',
    scope: 'backup',
    summary: 'Automatic backups, newest first, and their settings.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: backupList,
  },
  createBackup: {
    method: 'POST',
    path: '/console/backups',
    scope: 'backup',
    summary: 'Start a backup to the configured destination.',
    access: 'operator',
    operators: ['admin'],
    status: 202,
    output: z.strictObject({ name: z.string() }),
    reasons: ['backupNotSet', 'backupUnderWay'],
  },
  testTokenGate: {
    method: 'GET',
    path: '/console/tokenGateTest',
    summary: 'Check if an address holds the token of a gate, which need not exist.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    textQuery: true,
    input: gate.omit({ role: true }).extend({
      chain: text(100).describe('Name or id'),
      address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits'),
    }),
    output: z.strictObject({
      isHeld: z.boolean(),
      amount: z.string().describe('Balance at the latest block, in the smallest unit'),
      block: z.number(),
    }),
    reasons: ['nodeUnavailable'],
  },
  getChainStatus: {
    method: 'GET',
    path: '/console/chain',
    scope: 'monitoring:read',
    summary: 'Chains with nodes, progress and errors.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: listOf(chainStatusRecord),
  },
} as const satisfies Record<string, EndpointContract>
