import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { writeTypes } from '../classes/schema/writeTypes.ts'
import { listFunctionTypes } from './listFunctionTypes.ts'
import { writeSchemaType } from './writeSchemaType.ts'

const node: z.ZodType = z.lazy(() => z.object({ next: node.optional() }))

const schemas: [z.ZodType, input: string, output?: string][] = [
  [z.string().email(), 'string'],
  [z.int().min(1), 'number'],
  [z.literal(['a', 1, null]), '"a" | 1 | null'],
  [z.enum(['x', 'y']), '"x" | "y"'],
  [z.date().nullable(), 'Date | null'],
  [z.unknown(), 'unknown'],
  [z.bigint(), 'unknown'],
  [z.array(z.union([z.string(), z.number()])), 'readonly (string | number)[]'],
  [z.tuple([z.string(), z.date()]), 'readonly [string, Date]'],
  [z.record(z.string(), z.boolean()), '{ readonly [name: string]: boolean }'],
  [z.object({}), '{ readonly [name: string]: unknown }', 'Record<never, never>'],
  [
    z.object({ a: z.string(), 'b-c': z.number().optional(), d: z.boolean().default(true) }),
    '{ readonly a: string; readonly "b-c"?: number; readonly d?: boolean }',
    '{ readonly a: string; readonly "b-c"?: number; readonly d: boolean }',
  ],
  [z.object({ a: z.string() }).and(z.object({ b: z.number() })), '{ readonly a: string; readonly b: number }'],
  [z.string().transform((text) => text.length), 'string', 'unknown'],
  [node, '{ readonly next?: unknown }'],
]
test.each(schemas)('schema %#', (schema, input, output = input) => {
  expect(writeSchemaType(schema, 'input')).toBe(input)
  expect(writeSchemaType(schema, 'output')).toBe(output)
})

test('the functions of a folder are in the table of types, beside the classes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cs-cloud-'))
  try {
    await writeFile(
      join(folder, 'stars.ts'),
      `import { defineFunction, defineJob, z } from 'countersign'
       export const averageStars = defineFunction({ input: z.object({ movie: z.string() }), output: z.object({ average: z.number() }), handle: () => ({ average: 1 }) })
       export default defineFunction({ name: 'shop.list', handle: () => 1 })
       export const job = defineJob({ handle() {} })`,
    )
    const entries = await listFunctionTypes(folder)
    expect(entries).toEqual([
      '"averageStars": { input: { readonly movie: string }; output: { readonly average: number } }',
      '"shop.list": { input: { readonly [name: string]: unknown }; output: unknown }',
    ])
    expect(writeTypes([], entries)).toContain(`    functions: {\n      "averageStars": {`)
    expect(writeTypes([], [])).not.toContain('functions')
    await writeFile(join(folder, 'main.js'), `Parse.Cloud.define('older', () => 1)`)
    expect((await listFunctionTypes(folder)).at(-1)).toMatch(/^\[name: string\]: /)
    expect(await listFunctionTypes(join(folder, 'nowhere'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
