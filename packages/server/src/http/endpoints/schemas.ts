import { CountersignError } from '@countersign/protocol'
import { z } from 'zod'
import { applySchema } from '../../classes/schema/applySchema.ts'
import { createSchema } from '../../classes/schema/createSchema.ts'
import { deleteSchema } from '../../classes/schema/deleteSchema.ts'
import { encodeSchema } from '../../classes/schema/encodeSchema.ts'
import { listSchemas } from '../../classes/schema/listSchemas.ts'
import { purgeClass } from '../../classes/schema/purgeClass.ts'
import { updateSchema } from '../../classes/schema/updateSchema.ts'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'
import type { Body } from '../readBody.ts'

const schema = z.object({
  className: z.string().optional(),
  fields: z.record(z.string(), z.looseObject({})).optional(),
  classLevelPermissions: z.looseObject({}).optional(),
  indexes: z.record(z.string(), z.looseObject({})).optional(),
})

const create = (context: Context, input: Body, inPath: string) => {
  const className = readName(input, inPath)
  if (className === '') throw new CountersignError('MissingRequiredField', 'POST /schemas needs a class name.')
  return createSchema(context, className, input)
}

function readName({ className }: Body, inPath: string): string {
  if (className === undefined || className === null || className === '') return inPath
  if (typeof className !== 'string') throw new CountersignError('InvalidJson', 'className must be a text.')
  if (inPath !== '' && inPath !== className) {
    throw new CountersignError(
      'InvalidClassName',
      `Class name mismatch between ${className.slice(0, 100)} and ${inPath.slice(0, 100)}.`,
    )
  }
  return className
}

export const schemaEndpoints: Endpoint[] = [
  defineEndpoint('listSchemas', {
    summary: 'Every class with its fields, permissions and indexes. Master key.',
    access: 'master',
    handle: async ({ context }) => ({ results: await listSchemas(context) }),
  }),
  defineEndpoint('getSchema', {
    summary: 'A class with its fields, permissions and indexes. Master key.',
    access: 'master',
    async handle({ context, params: { className = '' } }) {
      await context.classes.refresh()
      return encodeSchema(context.classes.get(className))
    },
  }),
  defineEndpoint('createSchema', {
    summary: 'Make a class. Master key.',
    access: 'master',
    describedInput: schema,
    handle: ({ context, input, params: { className = '' } }) => create(context, input, className),
  }),
  {
    name: 'createNamedSchema',
    method: 'POST',
    path: '/schemas',
    summary: 'Make a class that the body names. Master key.',
    access: 'master',
    describedInput: schema,
    handle: ({ context, input }) => create(context, input, ''),
  },
  defineEndpoint('updateSchema', {
    summary: 'Add and delete fields and indexes of a class, set its permissions. Master key.',
    access: 'master',
    describedInput: schema,
    handle: ({ context, input, params: { className = '' } }) =>
      updateSchema(context, readName(input, className), input),
  }),
  defineEndpoint('deleteSchema', {
    summary: 'Drop a class that holds no object. Master key.',
    access: 'master',
    handle: ({ context, params: { className = '' } }) => deleteSchema(context, className),
  }),
  defineEndpoint('purgeClass', {
    summary: 'Delete every object of a class. Master key.',
    access: 'master',
    handle: ({ context, params: { className = '' } }) => purgeClass(context, className),
  }),
  defineEndpoint('applySchema', {
    summary: 'Bring the classes to what a schema file says, all of it or nothing. Master key.',
    access: 'master',
    describedInput: z.object({
      classes: z.record(z.string(), z.looseObject({})),
      dryRun: z.boolean().optional(),
      allowDrops: z.boolean().optional(),
    }),
    async handle({ context, input: { classes = null, dryRun, allowDrops } }) {
      const applied = await applySchema(context, classes, { dryRun: dryRun === true, allowDrops: allowDrops === true })
      await context.classes.refresh()
      return applied
    },
  }),
]
