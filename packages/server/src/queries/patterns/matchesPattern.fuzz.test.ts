import { CountersignError } from '@countersign/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { matchesPattern } from './matchesPattern.ts'
import type { Pattern } from './Pattern.ts'
import { readPattern } from './readPattern.ts'
import { writePattern } from './writePattern.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 2_000)
const together = 100

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const letters = ['a', 'b', 'A', 'é', '\n', '1', ' ', '😀', '_']
const text = fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((parts) => parts.join(''))
const atom = fc.constantFrom(
  ...letters,
  '.',
  '\\w',
  '\\d',
  '\\s',
  '\\W',
  '[ab]',
  '[^a]',
  '[a-z]',
  '[\\d_]',
  '[[:alpha:]]',
  '\\Q.a\\E',
  '\\.',
  '\\n',
)
const edge = fc.constantFrom(
  '^',
  '$',
  '\\b',
  '\\B',
  '\\A',
  '\\z',
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(?<!b)',
  '(?=b$)',
  '(?<=^a)',
)
const count = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '{1,}', '*?')
const { source } = fc.letrec<{ source: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small' },
    { weight: 6, arbitrary: fc.tuple(atom, count).map((pieces) => pieces.join('')) },
    { weight: 2, arbitrary: edge },
    { weight: 2, arbitrary: fc.tuple(tie('source'), count).map(([inner, times]) => `(${inner})${times}`) },
    { weight: 1, arbitrary: fc.tuple(tie('source'), tie('source')).map(([one, other]) => `(?:${one}|${other})`) },
  ),
  source: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
}))
const options = fc.constantFrom('', '', 'i', 'm', 's', 'im')

type Case = { source: string; options: string; text: string; pattern: Pattern }

async function ask(cases: Case[]): Promise<boolean[]> {
  const tests = cases.map(
    ({ text: given, pattern }) => sql`${given}::text collate "C" ~ ${writePattern(pattern.tree)}::text`,
  )
  const [row] = await database.db.query<{ found: boolean[] }>(sql`select array[${sql.join(tests)}] as found`)
  return row?.found ?? []
}

test(`${runs} random patterns: memory and PostgreSQL find the same`, { timeout: 60_000 }, async () => {
  const cases: Case[] = []
  for (const [pattern, given, among] of fc.sample(fc.tuple(source, options, text), { numRuns: runs, seed })) {
    try {
      cases.push({ source: pattern, options: given, text: among, pattern: readPattern(pattern, given, 1_000) })
    } catch (error) {
      expect(error).toBeInstanceOf(CountersignError)
    }
  }
  const differences: unknown[] = []
  let hits = 0
  for (let index = 0; index < cases.length; index += together) {
    const some = cases.slice(index, index + together)
    const found = await ask(some)
    for (const [position, one] of some.entries()) {
      if (found[position]) hits++
      if (matchesPattern(one.pattern, one.text) !== found[position]) {
        differences.push([one.source, one.options, one.text, `in SQL ${found[position]}`])
      }
    }
  }
  expect(differences.slice(0, 10)).toEqual([])
  expect(cases.length).toBeGreaterThan(runs / 2)
  expect(hits).toBeGreaterThan(runs / 20)
})

test('P13: patterns with catastrophic backtracking end immediately', () => {
  const long = `${'a'.repeat(20_000)}!`
  const begin = process.cpuUsage()
  for (const bad of [
    '(a+)+$',
    '^(a|a)*$',
    '(a|aa)+$',
    '(.*a){20}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=(a+)+$)b',
    '(?<=(a*)*)c',
  ]) {
    expect.soft(matchesPattern(readPattern(bad, '', 1_000), long), bad).toBe(false)
  }
  expect(process.cpuUsage(begin).user).toBeLessThan(10_000_000)
  // A subscriber may have hundreds of these, each decided for every change.
  const before = process.cpuUsage()
  const large = readPattern('(?:x|a?){200}b', '', 1_000)
  for (let again = 0; again < 3; again++) expect(matchesPattern(large, long)).toBe(false)
  expect(process.cpuUsage(before).user).toBeLessThan(300_000)
})
