// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as account from './account.ts'
import * as chain from './chain.ts'
import * as index from './index.ts'
import * as sheet from './sheet.ts'

const folder = new URL('../types/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('Hooks.ts'))
const text = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
const parts = new Map(
  text.split(/^export (?:async )?function /m).map((part) => [part.slice(0, part.indexOf('Types(')), part]),
)
const sources = new URL('hooks/', import.meta.url)
const declared = readdirSync(sources, { encoding: 'utf8', recursive: true })
  .filter((file) => /(?<!\.test)\.ts$/.test(file))
  .map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), sources), 'utf8'))
  .join('\n')
const hooks = [account, chain, index, sheet]
  .flatMap((entry) => Object.keys(entry))
  .filter((name) => /^use[A-Z]/.test(name))
/** Hooks whose result is derived from their action, or is a plain reading: one test of each kind is enough. */
const isDerived = (hook: string) =>
  declared.includes(`export type U${hook.slice(1)} = ActionHook<'`) ||
  new RegExp(`export function ${hook}<Selected = [^(]*>\\(\\s*options\\?: [^)]*\\): UseAsync<Selected> `).test(declared)

test('hooks that start an action derive their result from it', () => {
  expect(hooks.filter(isDerived).length).toBeGreaterThan(40)
  expect(hooks.filter((hook) => isDerived(hook) && parts.has(hook)).length).toBeGreaterThan(40)
})

test.each(hooks.filter((hook) => !isDerived(hook)))('%s has a type test: what compiles, and what does not', (hook) => {
  const part = parts.get(hook) ?? ''
  expect(part).toContain(`${hook}(`)
  expect(part).toContain(' satisfies ')
  expect(part).toContain('// @ts-expect-error')
})
