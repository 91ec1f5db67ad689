import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRequirementTests } from '../steps/readRequirements.mjs'
import { root } from '../steps/root.mjs'

const page = join(root, 'docs/requirements.md')
const rows = /^\| ((?:[RDSPB]|SEC-)\d+) \| (.+?) \| (.*?) ?\|$/gm
const tests = readRequirementTests()

test('every number that a test carries is defined, and every number defined is carried by a test', () => {
  const defined = [...readFileSync(page, 'utf8').matchAll(rows)].map(([, number = '']) => number)
  expect(new Set(defined).size).toBe(defined.length)
  expect([...tests.keys()].filter((number) => !defined.includes(number))).toEqual([])
  expect(defined.filter((number) => !tests.has(number))).toEqual([])
})

test('the page names the test files of each number', async () => {
  const made = readFileSync(page, 'utf8').replace(rows, (_row, number, text) => {
    const files = (tests.get(number) ?? []).map((file) => `[${file.split('/').at(-1)}](../${file})`)
    return `| ${number} | ${text} | ${files.join(', ')} |`
  })
  await expect(made).toMatchFileSnapshot(page)
})
