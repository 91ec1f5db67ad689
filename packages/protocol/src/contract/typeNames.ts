import { z } from 'zod'

/** TypeScript type of a schema, where the schema alone does not determine it. */
type TypeName = {
  /** Name of the generated type; every use of the schema refers to it. */
  name?: string
  /** The one part in which uses of a generic type differ, with the name of its type parameter. */
  argument?: { parameter: string; schema: z.ZodType }
  /** Type of a schema that accepts more than a type can say; names are those of `values.ts` and `queries.ts`. */
  text?: string
  /** Schema whose type it has, although it accepts more. */
  like?: z.ZodType
}

/** Registry for the texts of `describe`. */
export const descriptions = z.globalRegistry

/** Beside Zod's own metadata, which is part of the API's description. */
export const typeNames = z.registry<Record<string, unknown>>()

/** Includes those that are only extended. */
export const namedSchemas: z.ZodType[] = []

/**
 * Gives the type of a schema a name, under which clients import it.
 *
 * @example
 * const passkeyRecord = named('PasskeyRecord', z.strictObject({ objectId: z.string() }))
 */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  const known = register(schema, { name })
  namedSchemas.push(known)
  return known
}

/** A type with a type parameter, such as `ChainAnswer<Result>`. */
export function generic<Schema extends z.ZodType>(
  name: string,
  argument: { parameter: string; schema: z.ZodType },
  schema: Schema,
): Schema {
  return register(schema, { name, argument })
}

/** A schema with a type that is written by hand, or that is the type of another schema. */
export function typed<Schema extends z.ZodType>(type: string | z.ZodType, schema: Schema): Schema {
  return register(schema, typeof type === 'string' ? { text: type } : { like: type })
}

/** A copy: a schema that others share keeps its own type. */
function register<Schema extends z.ZodType>(schema: Schema, type: TypeName): Schema {
  const copy = schema.clone() as Schema
  typeNames.add(copy, type)
  return copy
}
