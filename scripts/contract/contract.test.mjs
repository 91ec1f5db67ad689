import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { root } from '../steps/root.mjs'
import { generateFiles } from './generateFiles.mjs'
import { createTypeWriter } from './writeTypes.mjs'

test('every generated file is current: npm run contract', async () => {
  for (const [path, text] of await generateFiles()) {
    expect(readFileSync(join(root, path), 'utf8'), `${path} is not current: npm run contract`).toBe(text)
  }
})

test('browsers load the protocol without Zod, and its types name none', async () => {
  const bundle = await rolldown({ input: join(root, 'packages/protocol/src/index.ts'), external: ['zod'] })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  expect(output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : []))).toEqual([])
  for (const path of (await generateFiles()).keys()) {
    const text = readFileSync(join(root, path), 'utf8')
    expect(text, path).not.toMatch(/from '(zod|[./]*contract)/)
  }
})

/** @param {object} def @param {object} [zod] @returns {any} */
const schema = (def, zod = {}) => ({ _zod: { def, ...zod } })

test('a schema is written as the type of its input, and of its output', () => {
  const names = new Map()
  const described = new Map()
  const text = schema({ type: 'string' })
  const optional = schema({ type: 'optional', innerType: text }, { optin: 'optional', optout: 'optional' })
  const defaulted = schema({ type: 'default', innerType: text }, { optin: 'defaulted' })
  const record = schema({ type: 'object', shape: { name: text, label: optional, order: defaulted } })
  described.set(text, { description: 'A name.' })
  names.set(record, { name: 'ThingRecord' })
  const plain = createTypeWriter(new Map(), new Map())
  expect(plain.write(record, 'input')).toBe('{ name: string\nlabel?: string\norder?: string }')
  expect(plain.write(record, 'output')).toBe('{ name: string\nlabel?: string\norder: string }')
  const writer = createTypeWriter(names, described)
  expect(writer.write(schema({ type: 'array', element: record }), 'output')).toBe('(ThingRecord)[]')
  expect(writer.records.get('ThingRecord')?.text).toContain('/** A name. */\nname: string')
  // The same name for what callers send would be another type.
  expect(() => writer.write(record, 'input')).toThrow('Two different types are named ThingRecord')
  expect(() => writer.write(schema({ type: 'custom' }), 'input')).toThrow(/typed\(/)
})
