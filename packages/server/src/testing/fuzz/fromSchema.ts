import fc from 'fast-check'
import type { z } from 'zod'
import { known, limitsOf, sample } from '../../attack/contractSamples.ts'
import { anyValue } from '../objects/fuzzValues.ts'
import { hostileText, mutated } from './hostileValues.ts'
import type { Vocabulary } from './Vocabulary.ts'
import { valuesByName } from './valuesByName.ts'

/** Input by the schema of a contract: valid, nearly valid and hostile. */
export function fromSchema(schema: z.ZodType, vocabulary: Vocabulary): fc.Arbitrary<unknown> {
  vocabulary.byName ??= valuesByName(vocabulary)
  return mutated(walk(schema, vocabulary.byName, vocabulary))
}

function walk(
  schema: z.ZodType,
  byName: Record<string, fc.Arbitrary<unknown>>,
  vocabulary: Vocabulary,
): fc.Arbitrary<unknown> {
  const def = known(schema) as ReturnType<typeof known> & { keyType?: z.ZodType; catchall?: z.ZodType }
  const inner = (part: z.ZodType) => walk(part, byName, vocabulary)
  const { minimum, maximum, isFormatted } = limitsOf(schema)
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return inner(def.innerType as z.ZodType)
    case 'nullable':
      return fc.oneof(
        { weight: 5, arbitrary: inner(def.innerType as z.ZodType) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
    case 'pipe':
      return inner((known(def.in as z.ZodType).type === 'transform' ? def.out : def.in) as z.ZodType)
    case 'lazy':
      return fc.constant(sample(schema))
    case 'object':
      return walkObject(schema, byName, vocabulary)
    case 'array':
      return fc.array(inner(def.element as z.ZodType), {
        minLength: Math.min(minimum ?? 0, 3),
        maxLength: Math.max(Math.min(maximum ?? 3, 3), Math.min(minimum ?? 0, 3)),
      })
    case 'union':
      return fc.oneof(...(def.options ?? []).map(inner))
    case 'record':
      return fc.dictionary(
        fc.oneof(
          fc.constantFrom('a', 's', 'n', 'x y'),
          hostileText.filter((key) => key !== '__proto__'),
        ),
        inner(def.valueType as z.ZodType),
        { maxKeys: 3, noNullPrototype: true },
      )
    case 'literal':
      return fc.constantFrom(...(def.values ?? []))
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? { none: '' }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'number':
      return numbersWithin(minimum, maximum)
    case 'string':
      return fc.oneof(
        { weight: isFormatted ? 6 : 2, arbitrary: fc.constant(sample(schema)) },
        { weight: 2, arbitrary: textsWithin(minimum, maximum) },
        { weight: 1, arbitrary: hostileText },
      )
    default:
      return anyValue
  }
}

const numbersWithin = (minimum = -1_000, maximum = 1_000) =>
  fc.oneof(
    fc.constantFrom(...[minimum, maximum, 0, 1, 10].filter(Number.isFinite)),
    fc.integer({
      min: Math.max(Math.ceil(minimum), -1e6),
      max: Math.max(Math.min(Math.floor(maximum), 1e6), Math.ceil(Math.max(minimum, -1e6))),
    }),
  )

const textsWithin = (minimum = 0, maximum = 30) =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.string({
        minLength: Math.min(minimum, 100),
        maxLength: Math.max(Math.min(maximum, 20), Math.min(minimum, 100)),
      }),
    },
    // At the limit, where a character counts as several bytes.
    {
      weight: 1,
      arbitrary: fc.constantFrom('x', 'é', '😀').map((part) => part.repeat(Math.min(maximum, 2_000)).slice(0, maximum)),
    },
  )

function walkObject(
  schema: z.ZodType,
  byName: Record<string, fc.Arbitrary<unknown>>,
  vocabulary: Vocabulary,
): fc.Arbitrary<unknown> {
  const def = known(schema) as ReturnType<typeof known> & { catchall?: z.ZodType }
  const shape = def.shape ?? {}
  const members: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [key, part] of Object.entries(shape)) {
    const own = walk(part, byName, vocabulary)
    const named = Object.hasOwn(byName, key) ? byName[key] : undefined
    members[key] = named ? fc.oneof({ weight: 4, arbitrary: named }, { weight: 1, arbitrary: own }) : own
  }
  const requiredKeys = Object.entries(shape)
    .filter(([, part]) => !part.safeParse(undefined).success)
    .map(([key]) => key)
  const required = pick(members, requiredKeys)
  const optionalKeys = Object.keys(members).filter((key) => !requiredKeys.includes(key))
  // With more of them at once, nearly every request would be refused for one.
  const made = fc
    .subarray(optionalKeys, { maxLength: Math.min(optionalKeys.length, 3) })
    .chain((keys) => fc.record({ ...required, ...pick(members, keys) })) as fc.Arbitrary<object>
  const isOpen = def.catchall !== undefined && known(def.catchall).type !== 'never'
  const { pool, trees } = vocabulary
  const withProof =
    'message' in shape && 'signature' in shape
      ? fc
          .tuple(made, pool.one('proof'), fc.boolean())
          .map(([fields, proof, isReal]) => (isReal && typeof proof === 'object' ? { ...fields, ...proof } : fields))
      : made
  if (!isOpen) return withProof
  return fc.oneof(
    { weight: 1, arbitrary: withProof },
    {
      weight: 2,
      arbitrary: fc
        .tuple(trees.changes, withProof)
        .map(([changes, fields]) => ({ ...(typeof changes === 'object' ? changes : {}), ...fields })),
    },
  )
}

const pick = (members: Record<string, fc.Arbitrary<unknown>>, keys: string[]) =>
  Object.fromEntries(Object.entries(members).filter(([key]) => keys.includes(key)))
