import { z } from 'zod'
import { longest } from '../limits.ts'
import type { WireFields } from '../values.ts'
import type { EndpointContract } from './EndpointContract.ts'
import {
  byId,
  className,
  fields,
  instant,
  maxStaleness,
  nothing,
  objectId,
  ofClass,
  openObject,
  text,
  wirePointer,
  wireValue,
} from './fields.ts'
import { acl, sessionRecord, userRecord } from './records.ts'
import { named, typed } from './typeNames.ts'

const one = z.object({ className, objectId })

/** Older clients send numbers and flags as text, too; the query parser interprets them. */
const count = z.union([z.number(), z.string().max(20)], 'InvalidQuery: must be a whole number from 0 up').nullish()
const flag = z.union([z.boolean(), z.number(), z.string().max(100)], 'InvalidQuery: must be true or false').nullish()
const names = z
  .union([z.string().max(20_000), z.array(z.string().max(1_000)).max(1_000)], {
    error: 'InvalidQuery: must be a list of names separated by commas',
  })
  .nullish()
  .describe('Names separated by commas')
const selection = { keys: names, excludeKeys: names, include: names, maxStaleness }
const query = openObject({
  where: wireValue.optional().describe('Conditions by field'),
  order: names.describe('Fields separated by commas; a leading - sorts in descending order'),
  limit: count,
  skip: count,
  count: flag.describe('1 adds the total count; estimate (master key) estimates it where counting is expensive'),
  ...selection,
  includeAll: flag,
  redirectClassNameForKey: z.string('InvalidQuery').max(200, 'InvalidQuery').nullish(),
  hint: wireValue.optional(),
  explain: flag,
  cursor: z
    .union([z.boolean(), z.string().max(20_000)], {
      error: 'InvalidQuery: must be true, or the cursor of the previous page',
    })
    .nullish()
    .describe('true for the first page, then the cursor of the previous page'),
})
const reading = openObject(selection)

const foundOf = (record: z.ZodType) =>
  z.strictObject({
    // Plans, where they were asked for, are lists of other things.
    results: z.array(typed(record, z.unknown())),
    count: z.number().optional(),
    isEstimate: z.literal(true).optional().describe('The count is an estimate'),
    cursor: z.string().optional(),
    className: z.string().optional(),
  })
const record = named(
  'ObjectRecord',
  openObject({ objectId: z.string(), createdAt: instant, updatedAt: instant, ACL: acl.optional() }).describe(
    'An object of a class, as returned by the server.',
  ),
)
const ifUpdatedAt = instant
  .optional()
  .describe('Only if the object still has this updatedAt; otherwise 409 with `objectChanged` and the present object')
const created = openObject({ objectId: z.string(), createdAt: instant })
const updated = openObject({ updatedAt: instant })

const batchRequest = named(
  'BatchRequest',
  z.object(
    {
      method: typed("'POST' | 'PUT' | 'DELETE' | 'GET'", z.string('InvalidJson').max(10, 'InvalidJson')),
      path: z
        .string('InvalidJson')
        .max(16 * 1024, 'InvalidJson')
        .describe('With the mount, such as /server/classes/Game'),
      body: typed('WireFields', z.custom<WireFields>(isObject, 'InvalidJson: must be an object')).optional(),
    },
    'InvalidJson',
  ),
)
const batchAnswer = named(
  'BatchAnswer',
  z.union([
    // Some lists for operators are no objects.
    z.strictObject({ success: typed('WireFields', z.union([fields, z.array(wireValue)])) }),
    z.strictObject({ error: typed('{ code: number; error: string; reason?: string }', fields) }),
  ]),
)

/** Objects of classes. */
export const objects = {
  findObjects: {
    method: 'GET',
    path: '/classes/:className',
    scope: 'class',
    summary: 'Find objects of a class.',
    params: ofClass,
    input: query,
    output: foundOf(record),
  },
  createObject: {
    method: 'POST',
    path: '/classes/:className',
    scope: 'class',
    summary: 'Create an object. Where allowed, also its class and fields.',
    status: 201,
    once: true,
    params: ofClass,
    input: openObject({}).describe('The fields of the object, and ACL'),
    output: created,
  },
  getObject: {
    method: 'GET',
    path: '/classes/:className/:objectId',
    scope: 'class',
    summary: 'Read an object.',
    params: one,
    input: reading,
    output: record,
  },
  updateObject: {
    method: 'PUT',
    path: '/classes/:className/:objectId',
    scope: 'class',
    summary: 'Change an object. The response has the results of operations.',
    once: true,
    params: one,
    input: typed('WireChanges & { ifUpdatedAt?: string }', openObject({ ifUpdatedAt })).describe(
      'Fields to set, or operations such as { "__op": "Increment", "amount": 1 }',
    ),
    output: updated,
    reasons: ['objectChanged'],
  },
  deleteObject: {
    method: 'DELETE',
    path: '/classes/:className/:objectId',
    scope: 'class',
    summary: 'Delete an object.',
    once: true,
    params: one,
    input: z.object({ ifUpdatedAt }),
    output: nothing,
    reasons: ['objectChanged'],
  },
  findUsers: {
    method: 'GET',
    path: '/users',
    scope: '_User:read',
    list: 'operator',
    summary: 'Find users.',
    input: query,
    output: foundOf(userRecord),
  },
  getUser: {
    method: 'GET',
    path: '/users/:objectId',
    scope: '_User:read',
    summary: 'Read a user.',
    params: byId,
    input: reading,
    output: typed(userRecord, userRecord.partial()),
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'Sessions of the user.',
    input: query,
    output: foundOf(sessionRecord),
  },
  getSession: {
    method: 'GET',
    path: '/sessions/:objectId',
    summary: 'One session of the user.',
    params: byId,
    input: reading,
    output: typed(sessionRecord, sessionRecord.extend({ user: z.union([wirePointer, fields]) }).partial()),
  },
  batch: {
    method: 'POST',
    path: '/batch',
    scope: 'any',
    summary: 'Run several requests; with transaction, all or none.',
    input: z.object({
      requests: z.array(batchRequest, 'InvalidJson').max(10_000, 'InvalidJson'),
      transaction: z.boolean('InvalidJson').nullish(),
    }),
    output: z.array(batchAnswer),
  },
  runFunction: {
    method: 'POST',
    path: '/functions/:_function',
    scope: 'function',
    summary: 'Run a function of the application.',
    params: z.object({ _function: text(500) }),
    input: openObject({}).describe('Input of the function'),
    output: z.strictObject({ result: wireValue.optional() }),
  },
} as const satisfies Record<string, EndpointContract>

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const deviceText = (name: 'installationId' | 'deviceToken' | 'deviceType') =>
  z
    .string('IncorrectType: must be a text')
    .min(1, 'IncorrectType: must not be empty')
    .max(longest[name], 'textTooLong')
    .nullish()

/** Fields that identify a device. All other fields belong to the application. */
const device = openObject({
  installationId: deviceText('installationId'),
  deviceToken: deviceText('deviceToken'),
  deviceType: deviceText('deviceType'),
})

/** Devices that an application is installed on. */
export const installations = {
  createInstallation: {
    method: 'POST',
    path: '/installations',
    summary: 'Register a device, or change a known one.',
    once: true,
    input: device,
    output: z.union([created, updated.extend({ objectId: z.string() })]),
  },
  updateInstallation: {
    method: 'PUT',
    path: '/installations/:objectId',
    list: 'operator',
    summary: 'Change a device, except the fields that identify it.',
    once: true,
    params: byId,
    input: device,
    output: updated,
  },
  deleteInstallation: {
    method: 'DELETE',
    path: '/installations/:objectId',
    list: 'operator',
    summary: 'Delete a device. Master key.',
    once: true,
    params: byId,
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>

const fileName = z.object({ name: text(500) })

/** Files. */
export const files = {
  uploadFile: {
    method: 'POST',
    path: '/files/:name',
    scope: 'files:write',
    summary: 'Upload a file: as the body, in a form (multipart/form-data), or as base64 in JSON.',
    status: 201,
    params: fileName,
    input: z.object({
      // The size of a body has a limit of its own.
      base64: typed('string', wireValue).optional().describe('The content, if sent as JSON'),
      fileData: typed('{ metadata?: WireFields; tags?: WireFields; ipfs?: boolean }', wireValue)
        .optional()
        .describe('metadata: any values by name; tags: strings by name; ipfs: true or false'),
    }),
    output: z.strictObject({
      name: z.string(),
      url: z.string(),
      ipfs: z.string().optional(),
      hash: z.string().optional(),
    }),
  },
  deleteFile: {
    method: 'DELETE',
    path: '/files/:name',
    scope: 'files:write',
    summary: 'Delete a file.',
    access: 'master',
    params: fileName,
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>
