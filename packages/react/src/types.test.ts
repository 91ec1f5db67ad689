// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as index from './index.ts'
import * as sheet from './sheet.ts'

const folder = new URL('../types/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('Hooks.ts'))
const text = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
const parts = new Map(
  text.split(/^export (?:async )?function /m).map((part) => [part.slice(0, part.indexOf('Types(')), part]),
)
const hooks = [...new Set([...Object.keys(index), ...Object.keys(sheet)])].filter((name) => /^use[A-Z]/.test(name))

test.each(hooks)('%s has a type test: what compiles, and what does not', (hook) => {
  const part = parts.get(hook) ?? ''
  expect(part).toContain(`${hook}(`)
  expect(part).toContain(' satisfies ')
  expect(part).toContain('// @ts-expect-error')
})
