import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { listOf, maxStaleness, nothing, ofClass, openObject, wireObject, wireValue } from './fields.ts'
import { acl } from './records.ts'
import { named, typed } from './typeNames.ts'

/** Definition of a class. Fields, permissions and indexes are checked later, against the stored class. */
const schema = z.object({
  className: z.string('InvalidJson').max(200, 'InvalidClassName').nullish(),
  fields: z.record(z.string(), wireValue, 'InvalidJson').nullish(),
  classLevelPermissions: wireValue.optional(),
  indexes: z.record(z.string(), wireValue, 'InvalidJson').nullish(),
})

/** A change may name its base: it is refused if others have changed the class since. */
const schemaChange = schema.extend({
  basedOn: z.object({ classLevelPermissions: wireValue.optional() }).optional(),
})

const fieldRecord = named(
  'FieldRecord',
  z
    .looseObject({
      type: z.string(),
      targetClass: z.string().optional(),
      required: z.boolean().optional(),
      defaultValue: wireValue.optional(),
    })
    .describe('A field of a class in the schema API. Pointers and relations have a target class.'),
)

const entities = typed('{ [entity: string]: true | string[] }', wireValue).optional()

const classPermissions = named(
  'ClassPermissions',
  z
    .looseObject({
      find: entities,
      get: entities,
      count: entities,
      create: entities,
      update: entities,
      delete: entities,
      addField: entities,
      readUserFields: z.array(z.string()).optional(),
      writeUserFields: z.array(z.string()).optional(),
      protectedFields: z.record(z.string(), z.array(z.string())).optional(),
      ACL: acl
        .optional()
        .describe('Default access list of new objects. `currentUser` is the user who creates the object.'),
    })
    .describe('Permissions of a class: `*`, `requiresAuthentication`, a user id or `role:<name>` for each operation.'),
)

const schemaRecord = named(
  'SchemaRecord',
  z
    .strictObject({
      className: z.string(),
      fields: z.record(z.string(), fieldRecord),
      classLevelPermissions: classPermissions,
      indexes: z.record(z.string(), wireObject).optional(),
    })
    .describe('A class in the schema API.'),
)

/** Classes: their fields, permissions and indexes. */
export const schemas = {
  listSchemas: {
    method: 'GET',
    path: '/schemas',
    scope: 'schema:read',
    summary: 'All classes with fields, permissions and indexes.',
    access: 'master',
    output: listOf(schemaRecord),
  },
  getSchema: {
    method: 'GET',
    path: '/schemas/:className',
    scope: 'schema:read',
    summary: 'A class with fields, permissions and indexes.',
    access: 'master',
    params: ofClass,
    output: schemaRecord,
  },
  createSchema: {
    method: 'POST',
    path: '/schemas/:className',
    scope: 'schema:write',
    summary: 'Create a class.',
    access: 'master',
    params: ofClass,
    input: schema,
    output: schemaRecord,
  },
  createNamedSchema: {
    method: 'POST',
    path: '/schemas',
    scope: 'schema:write',
    summary: 'Create a class that the body names.',
    access: 'master',
    input: schema,
    output: schemaRecord,
  },
  updateSchema: {
    method: 'PUT',
    path: '/schemas/:className',
    scope: 'schema:write',
    summary: 'Add and delete fields and indexes of a class, set its permissions.',
    access: 'master',
    params: ofClass,
    input: schemaChange,
    output: schemaRecord,
    reasons: ['permissionsChanged'],
  },
  deleteSchema: {
    method: 'DELETE',
    path: '/schemas/:className',
    scope: 'schema:write',
    summary: 'Drop an empty class.',
    access: 'master',
    params: ofClass,
    output: nothing,
  },
  purgeClass: {
    method: 'DELETE',
    path: '/purge/:className',
    scope: 'schema:write',
    summary: 'Delete every object of a class.',
    access: 'master',
    params: ofClass,
    output: nothing,
  },
  applySchema: {
    method: 'POST',
    path: '/applySchema',
    scope: 'schema:write',
    summary: 'Apply a schema file, all or nothing.',
    access: 'master',
    input: z.object({
      classes: z.record(z.string(), wireValue, 'InvalidJson'),
      dryRun: z.boolean().optional(),
      allowDrops: z.boolean().optional(),
    }),
    output: z.strictObject({
      plan: z.array(z.strictObject({ text: z.string(), drops: z.boolean() })),
      applied: z.boolean(),
    }),
  },
  aggregate: {
    method: 'GET',
    path: '/aggregate/:className',
    scope: 'class',
    summary: 'Run a pipeline over a class, or list the distinct values of a field.',
    access: 'master',
    params: ofClass,
    // Stages may also stand beside the other parameters, as older clients send them: `$match`, `$group` …
    input: openObject({
      pipeline: wireValue.optional(),
      distinct: z.string('InvalidQuery').max(500, 'InvalidQuery').optional(),
      where: z.record(z.string(), wireValue, 'InvalidQuery').optional(),
      hint: wireValue.optional(),
      explain: wireValue.optional(),
      maxStaleness,
    }),
    output: z.strictObject({ results: z.array(wireValue) }),
  },
} as const satisfies Record<string, EndpointContract>
