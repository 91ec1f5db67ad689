import { CountersignError } from '@countersign/protocol'
import { applySchema } from '../classes/schema/applySchema.ts'
import { encodeSchema } from '../classes/schema/encodeSchema.ts'
import type { SchemaInput } from '../classes/schema/planSchema.ts'
import { createSchema, deleteSchema, listSchemas, purgeClass, updateSchema } from '../classes/schema/schemas.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

export const listSchemasEndpoint = defineEndpoint('listSchemas', {
  handle: async ({ context }) => ({ results: await listSchemas(context) }),
})

export const getSchemaEndpoint = defineEndpoint('getSchema', {
  async handle({ context, params: { className } }) {
    await context.classes.refresh()
    return encodeSchema(context.classes.get(className))
  },
})

export const createSchemaEndpoint = defineEndpoint('createSchema', {
  handle: ({ context, input, params: { className } }) => create(context, input, className),
})

export const createNamedSchemaEndpoint = defineEndpoint('createNamedSchema', {
  handle: ({ context, input }) => create(context, input, ''),
})

export const updateSchemaEndpoint = defineEndpoint('updateSchema', {
  // Said also where none is left: clients would keep showing the last one.
  handle: async ({ context, input, params: { className } }) => ({
    indexes: {},
    ...(await updateSchema(context, readName(input, className), input)),
  }),
})

export const deleteSchemaEndpoint = defineEndpoint('deleteSchema', {
  handle: ({ context, params: { className } }) => deleteSchema(context, className),
})

export const purgeClassEndpoint = defineEndpoint('purgeClass', {
  handle: ({ context, params: { className } }) => purgeClass(context, className),
})

export const applySchemaEndpoint = defineEndpoint('applySchema', {
  async handle({ context, input: { classes, ...options } }) {
    const applied = await applySchema(context, classes, options)
    await context.classes.refresh()
    return applied
  },
})

type Given = SchemaInput & { className?: string | null | undefined }

const create = (context: Context, input: Given, inPath: string) => {
  const className = readName(input, inPath)
  if (className === '') throw new CountersignError('MissingRequiredField', 'POST /schemas needs a class name.')
  return createSchema(context, className, input)
}

function readName({ className }: Given, inPath: string): string {
  if (!className) return inPath
  if (inPath !== '' && inPath !== className) {
    throw new CountersignError(
      'InvalidClassName',
      `Class name mismatch between ${className.slice(0, 100)} and ${inPath.slice(0, 100)}.`,
    )
  }
  return className
}
