import { z } from 'zod'
import { byOperator, page, role } from './consoleFields.ts'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, className, instant, listOf, nothing, objectId, text, wireValue } from './fields.ts'
import { mailKind } from './records.ts'
import { named } from './typeNames.ts'

const operation = named('ClassOperation', z.enum(['find', 'get', 'count', 'create', 'update', 'delete', 'addField']))

const operatorRecord = named(
  'OperatorRecord',
  z.strictObject({
    objectId: z.string(),
    username: z.string(),
    email: z.string().optional(),
    role,
    since: instant,
    secondFactor: z.boolean(),
  }),
)

/** Sections of the console. */
export const consoleAreas = [
  'overview',
  'users',
  'signIns',
  'data',
  'sql',
  'schema',
  'access',
  'roles',
  'functions',
  'tokenGates',
  'chain',
  'files',
  'config',
  'push',
  'mail',
  'audit',
  'settings',
  'operators',
  'clients',
  'keys',
  'backups',
  'api',
] as const

const area = named(
  'ConsoleArea',
  z
    .enum(consoleAreas)
    .describe('A section of the console. The role of an operator decides which sections are visible.'),
)

const consoleRecord = named(
  'ConsoleRecord',
  z
    .strictObject({
      role,
      areas: z.array(area),
      appName: z.string(),
      version: z.string(),
      production: z.boolean(),
    })
    .describe('The calling operator, and the sections of the console they can use.'),
)

const figureRange = named('FigureRange', z.enum(['hour', 'day', 'week', 'month']))

const figure = named(
  'FigureRecord',
  z
    .strictObject({
      at: instant.describe('Start of the period.'),
      requests: z.number(),
      refused: z.number().describe('Responses with a status of 400 and above.'),
      failed: z.number().describe('Of these, responses with 500 and above.'),
      median: z.number().optional().describe('Milliseconds; absent if there was no request.'),
      p95: z.number().optional().describe('95th percentile of the response time in milliseconds.'),
      p99: z.number().optional(),
      signUps: z.number(),
      signIns: z.record(z.string(), z.number()).describe('By sign-in method.'),
      sockets: z.number().describe('Highest number open at the same time.'),
    })
    .describe('Figures of one period.'),
)

const overviewRecord = named(
  'OverviewRecord',
  z.strictObject({
    at: instant,
    range: figureRange,
    step: z.number().describe('Length of one entry of `series`, in seconds.'),
    users: z.strictObject({
      total: z.number(),
      newToday: z.number(),
      activeToday: z.number(),
      activeMonth: z.number(),
    }),
    sessions: z.number(),
    failedSignInsToday: z.number().describe('Refused sign-in attempts of the last 24 hours.'),
    sockets: z.number(),
    jobs: z.strictObject({ waiting: z.number(), failedToday: z.number(), doneToday: z.number() }),
    database: z.strictObject({ kind: z.enum(['embedded', 'postgres']), size: z.number() }),
    server: z.strictObject({ version: z.string(), node: z.string(), startedAt: instant }),
    chains: z.array(
      z.strictObject({
        chain: z.number(),
        block: z.number(),
        head: z.number(),
        lag: z.number(),
        status: z.string(),
        error: z.string().optional(),
      }),
    ),
    series: z.array(figure),
    previous: z.array(figure).describe('The same entries of the period before.'),
  }),
)

const finding = named(
  'FindingRecord',
  z
    .strictObject({
      area: z.string(),
      check: z.string(),
      status: z.enum(['ok', 'warning', 'fault', 'skipped']),
      message: z.string(),
      meaning: z.string().optional(),
      fix: z.string().optional(),
    })
    .describe('Result of a check. A fault breaks something; a warning may.'),
)

const accessStep = named(
  'AccessStep',
  z
    .strictObject({
      rule: z.enum([
        'masterKey',
        'internalClass',
        'classPermissions',
        'pointer',
        'accessList',
        'ownAccount',
        'ownSession',
        'hiddenFields',
      ]),
      outcome: z.enum(['allows', 'refuses', 'limits']),
      entry: z
        .string()
        .optional()
        .describe('The entry that decided, such as `*`, `role:editors`, a user id or a field.'),
      path: z.array(z.string()).optional().describe('Path from the role that lists the user to the role of the entry.'),
      holds: z.array(z.string()).optional().describe('Content of the rule: entries of a list, names of fields.'),
    })
    .describe('A rule that was checked.'),
)

const accessRecord = named(
  'AccessRecord',
  z
    .strictObject({
      isAllowed: z.boolean(),
      isFound: z.boolean().optional().describe('True if the object exists. Absent if none was named.'),
      roles: z.array(z.strictObject({ name: z.string(), path: z.array(z.string()) })),
      steps: z.array(accessStep),
    })
    .describe('Result of an access check, and the rule that decided it.'),
)

const roleRow = named(
  'ConsoleRoleRow',
  z
    .strictObject({
      objectId: z.string(),
      name: z.string(),
      users: z.number(),
      isMore: z.boolean(),
      roles: z.number().describe('Child roles, whose members have it too.'),
      tokenGates: z.number().describe('Token gates that grant it.'),
    })
    .describe('A role with the number of its direct members; `isMore` if there are more than counted.'),
)

const roleRecord = named(
  'ConsoleRoleRecord',
  roleRow.extend({
    createdAt: instant,
    parents: z
      .array(z.strictObject({ objectId: z.string(), name: z.string() }))
      .describe('Parent roles, which its members have too.'),
    readers: z.array(z.string()).describe('Entries of its access list.'),
    writers: z.array(z.string()),
  }),
)

const roleMember = named(
  'RoleMemberRecord',
  z.strictObject({
    objectId: z.string(),
    username: z.string(),
    email: z.string().optional(),
    isGated: z.boolean(),
  }),
)

const person = z.strictObject({ objectId: z.string(), username: z.string().optional() })

const fileRecord = named(
  'ConsoleFileRecord',
  z.strictObject({
    name: z.string(),
    type: z.string(),
    size: z.number(),
    store: z.string(),
    url: z.string(),
    createdAt: instant,
    ipfs: z.string().optional(),
    owner: person.optional().describe('The user who uploaded it, if any.'),
  }),
)

const holderRecord = named(
  'TokenGateHolderRecord',
  z
    .strictObject({ address: z.string(), amount: z.string(), seenAt: instant, user: person })
    .describe('A wallet that passes a token gate, with its balance at the last check.'),
)

const mailLogRecord = named(
  'MailLogRecord',
  z
    .strictObject({
      objectId: z.string(),
      to: z.string(),
      kind: mailKind,
      sentAt: instant,
      milliseconds: z.number().describe('Response time of the mail server.'),
      error: z.string().optional().describe('Error of the mail server; absent if it accepted the email.'),
    })
    .describe('An email that was passed to the SMTP server, without its text.'),
)

const settingRecord = named(
  'SettingRecord',
  z
    .strictObject({
      name: z.string(),
      source: z
        .enum(['default', 'file', 'environment', 'commandLine', 'database'])
        .describe('`database`: set in the console.'),
      value: z.string().optional().describe('Absent if it may contain a secret.'),
      isSecret: z.boolean(),
      isSet: z.boolean(),
      variable: z.string().optional().describe('Environment variable of the setting.'),
      edit: z
        .strictObject({
          input: z.string().optional().describe('JSON to edit, without secrets; absent if nothing is set.'),
          hasSecret: z.boolean().describe('True if a password is stored. It stays unless a new one is sent.'),
          canUndo: z.boolean(),
          version: z
            .string()
            .describe('Changes with each save. Send it with a change: one in between is then refused.'),
          changedAt: instant.optional(),
          changedBy: z.string().optional(),
        })
        .optional()
        .describe('Present if the console can change it: neither the file nor the environment sets it.'),
    })
    .describe('Effective value of a setting, with its source.'),
)

const bySetting = z.object({ name: text(100) })

const settingReasons = ['settingInvalid', 'settingFixed', 'settingLocksOut', 'settingChanged'] as const

const settingVersion = text(64)
  .optional()
  .describe('`edit.version` of the setting that was read. Refused if it was changed since then')

/** The operator's console. All others get 404, as if it did not exist. */
export const operatorConsole = {
  getConsole: {
    method: 'GET',
    path: '/console',
    summary: "The operator's role, and what the console offers to it.",
    access: 'operator',
    output: consoleRecord,
  },
  claimConsole: {
    method: 'POST',
    path: '/console/claim',
    access: 'user',
    list: 'operator',
    summary: 'Become an operator with a one-time link.',
    input: z.object({ token: text(200).min(1) }),
    output: z.strictObject({ role }),
    reasons: ['operatorLinkExpired'],
  },
  endImpersonation: {
    method: 'POST',
    path: '/console/impersonation/end',
    access: 'user',
    list: 'operator',
    summary: "End an impersonation. Browsers return to the operator's session.",
    output: z.strictObject({ sessionToken: z.string().optional() }),
  },
  getOverview: {
    method: 'GET',
    path: '/console/overview',
    scope: 'monitoring:read',
    summary: 'Users, requests, sign-ins, sockets, jobs, database and chains over time.',
    access: 'operator',
    textQuery: true,
    input: z.object({ range: figureRange.optional() }),
    output: overviewRecord,
  },
  listFindings: {
    method: 'GET',
    path: '/console/findings',
    summary: 'Findings of the checks of `countersign doctor`. Repeated once a minute at most.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: listOf(finding),
  },
  testAccess: {
    method: 'GET',
    path: '/console/access',
    summary: 'Check the access of a user or guest to a class or object, and name the deciding rule.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    textQuery: true,
    input: z.object({
      user: objectId.optional().describe('ID or username of a user; a guest by default'),
      className: className.min(1),
      objectId: objectId.optional(),
      operation,
    }),
    output: accessRecord,
  },
  listConsoleRoles: {
    method: 'GET',
    path: '/console/roles',
    scope: 'roles:read',
    summary: 'Roles by name: top level, below a role, or by text.',
    access: 'operator',
    textQuery: true,
    input: z.object({ search: text(200).optional(), parent: objectId.optional(), ...page }),
    output: z.strictObject({ results: z.array(roleRow), next: z.string().optional() }),
  },
  getConsoleRole: {
    method: 'GET',
    path: '/console/roles/:objectId',
    scope: 'roles:read',
    summary: 'A role: number of members, roles that hold it, who may read and change it.',
    ...byOperator,
    output: roleRecord,
  },
  listRoleMembers: {
    method: 'GET',
    path: '/console/roles/:objectId/members',
    scope: 'roles:read',
    summary: 'Direct members of a role.',
    ...byOperator,
    textQuery: true,
    input: z.object({ search: text(200).optional(), ...page }),
    output: z.strictObject({ results: z.array(roleMember), next: z.string().optional() }),
  },
  listConsoleFiles: {
    method: 'GET',
    path: '/console/files',
    scope: 'files:read',
    summary: 'Stored files by name or owner, newest first.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    textQuery: true,
    input: z.object({ search: text(200).optional(), ...page }),
    output: z.strictObject({ results: z.array(fileRecord), next: z.string().optional() }),
  },
  listTokenGateHolders: {
    method: 'GET',
    path: '/console/tokenGates/:objectId/holders',
    summary: 'Wallets that pass a token gate.',
    ...byOperator,
    operators: ['admin', 'viewer'],
    textQuery: true,
    input: z.object(page),
    output: z.strictObject({ results: z.array(holderRecord), next: z.string().optional() }),
  },
  listMailLog: {
    method: 'GET',
    path: '/console/mail',
    summary: 'Results of sent mails, newest first, without content.',
    access: 'operator',
    operators: ['admin'],
    textQuery: true,
    input: z.object({
      search: text(400).optional().describe('A part of the address'),
      outcome: z.enum(['all', 'sent', 'failed']).optional(),
      ...page,
    }),
    output: z.strictObject({
      isSending: z.boolean().describe('True if emails are sent by SMTP; otherwise they are in the outbox'),
      days: z.number().describe('How long entries are kept'),
      results: z.array(mailLogRecord),
      next: z.string().optional(),
    }),
  },
  getSettings: {
    method: 'GET',
    path: '/console/settings',
    summary: 'Settings with their sources, without secrets.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: listOf(settingRecord),
  },
  setSetting: {
    method: 'PUT',
    path: '/console/settings/:name',
    summary: 'Change a setting on all servers, without a restart.',
    access: 'operator',
    operators: ['admin'],
    params: bySetting,
    input: z.object({
      value: wireValue
        .optional()
        .describe('As in the configuration file. A password that is left out stays, on the same server'),
      version: settingVersion,
    }),
    output: settingRecord,
    reasons: settingReasons,
  },
  resetSetting: {
    method: 'DELETE',
    path: '/console/settings/:name',
    summary: 'Return a setting to its default.',
    access: 'operator',
    operators: ['admin'],
    params: bySetting,
    input: z.object({ version: settingVersion }),
    output: settingRecord,
    reasons: settingReasons,
  },
  undoSetting: {
    method: 'POST',
    path: '/console/settings/:name/undo',
    summary: 'Return a setting to its value before the last change.',
    access: 'operator',
    operators: ['admin'],
    params: bySetting,
    input: z.object({ version: settingVersion }),
    output: settingRecord,
    reasons: settingReasons,
  },
  sendTestMail: {
    method: 'POST',
    path: '/console/testMail',
    summary: 'Send a test email to the operator, with the given SMTP settings or the current ones.',
    access: 'operator',
    operators: ['admin'],
    input: z.object({
      smtp: wireValue.optional().describe('As in `smtp`'),
      to: text(320).optional().describe('Required with the master key'),
    }),
    output: z.strictObject({ to: z.string() }),
    reasons: ['settingInvalid', 'testMailFailed'],
  },
  listOperators: {
    method: 'GET',
    path: '/console/operators',
    summary: 'Operators with their roles.',
    access: 'operator',
    operators: ['admin', 'viewer'],
    output: listOf(operatorRecord),
  },
  setOperator: {
    method: 'PUT',
    path: '/console/operators/:objectId',
    summary: "Make a user an operator, or change an operator's role.",
    access: 'operator',
    operators: ['admin'],
    params: byId,
    input: z.object({ role }),
    output: operatorRecord,
    reasons: ['lastAdmin'],
  },
  removeOperator: {
    method: 'DELETE',
    path: '/console/operators/:objectId',
    summary: 'Remove an operator.',
    access: 'operator',
    operators: ['admin'],
    params: byId,
    output: nothing,
    reasons: ['lastAdmin'],
  },
  createOperatorLink: {
    method: 'POST',
    path: '/console/operatorLinks',
    summary: 'Create a link that makes the first person who opens it an operator, within 24 hours.',
    access: 'operator',
    operators: ['admin'],
    status: 201,
    input: z.object({ role: role.optional() }),
    output: z.strictObject({ url: z.string(), role, expiresAt: instant }),
  },
} as const satisfies Record<string, EndpointContract>
