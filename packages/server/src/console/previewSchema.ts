import { CountersignError, type EndpointTypes, type WireValue } from '@countersign/protocol'
import { applySchema } from '../classes/schema/applySchema.ts'
import { type ClassDefinition, toSchemaFile, writeDefinitions } from '../classes/schema/SchemaFile.ts'
import { listSchemas } from '../classes/schema/schemas.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

type Parts = { [name: string]: WireValue }

/**
 * Previews a change to a class: the steps of `countersign schema apply`, and the resulting part of the schema file.
 * Changes nothing.
 */
async function previewSchema(
  context: Context,
  { className, fields = {}, indexes = {}, drop = false }: EndpointTypes['previewSchema']['input'],
): Promise<EndpointTypes['previewSchema']['output']> {
  const { [className]: before, ...others } = toSchemaFile(await listSchemas(context))
  if (drop && !before)
    throw new CountersignError('InvalidClassName', `Class ${className.slice(0, 200)} does not exist.`)
  const after = {
    ...before,
    fields: merge(before?.fields as Parts | undefined, fields),
    ...(before?.indexes || Object.keys(indexes).length > 0
      ? { indexes: merge(before?.indexes as Parts, indexes) }
      : {}),
  } as ClassDefinition
  const file = drop ? others : { ...others, [className]: after }
  const { plan } = await applySchema(context, JSON.parse(JSON.stringify(file)), { dryRun: true })
  return { plan, file: writeDefinitions(drop ? others : { [className]: after }) }
}

/** As the schema API reads a change: `{ "__op": "Delete" }` takes away what has the name. */
function merge(before: Parts = {}, changes: Parts): Parts {
  const merged = { ...before }
  for (const [name, value] of Object.entries(changes)) {
    const isGone = typeof value === 'object' && value !== null && '__op' in value && value.__op === 'Delete'
    if (isGone) delete merged[name]
    else merged[name] = value
  }
  return merged
}

export const previewSchemaEndpoint = defineEndpoint('previewSchema', {
  handle: ({ context, input }) => previewSchema(context, input),
})
