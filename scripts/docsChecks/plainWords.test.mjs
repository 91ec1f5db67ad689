import { expect, test } from 'vitest'
import { compareProse, lowerBudget, readBudget, readProse } from '../prose/checkProse.mjs'
import { gradePage } from '../prose/gradePages.mjs'
import { listFindings } from '../prose/listFindings.mjs'
import { listComments } from '../prose/listPassages.mjs'
import { readGlossary } from '../prose/readGlossary.mjs'

/** @typedef {import('../prose/readGlossary.mjs').Kind} Kind */

/**
 * @param {Kind} kind
 * @param {string} text
 */
const rulesIn = (kind, text) =>
  listFindings([{ kind, file: 'packages/server/src/some.ts', line: 1, text }], readGlossary()).map(({ rule }) => rule)

test('the prose of the repository stays within its budget', { timeout: 120_000 }, async () => {
  const prose = await readProse()
  expect(prose.grades.size).toBeGreaterThan(50)
  expect(prose.sizes.docs).toBeGreaterThan(2_000)
  expect(prose.sizes.comments).toBeGreaterThan(8_000)
  expect(prose.sizes.tests).toBeGreaterThan(2_500)
  expect(prose.sizes.texts).toBeGreaterThan(900)
  expect(compareProse(prose, readBudget())).toEqual([])
})

test('every exception has a reason', () => {
  for (const { reason } of readBudget().exceptions) expect(reason).toMatch(/\w+ \w+/)
})

test.each(
  /** @type {[Kind, string, string][]} */ ([
    ['code', 'It is read anew.', 'anew'],
    ['code', "say('Two ways in')", 'way in'],
    ['docs', 'how to mend it', 'mend'],
    ['docs', 'The owner is told.', 'is told'],
    ['comments', 'The answers are sorted.', 'answer'],
    ['tests', 'tells of a removed wallet', 'tell of'],
    ['texts', 'It is deleted for good.', 'for good'],
    ['texts', 'Your e-mail', 'e-mail'],
    ['comments', 'What a caller may say.', 'relative clause'],
    ['comments', 'of whom a session is', 'relative clause'],
    ['comments', 'Ends a session. @param  whether it is the last', 'relative clause'],
    ['tests', 'SEC-34: who is banned cannot sign in', 'relative clause'],
    ['docs', 'It is stored. Who may not read it does not find it.', 'relative clause'],
  ]),
)('finds in %s: %s', (kind, text, rule) => {
  expect(rulesIn(kind, text)).toEqual([rule])
})

test.each(
  /** @type {[Kind, string][]} */ ([
    ['code', 'const answers = []'],
    ['comments', 'How long (ms) a session check stays valid.'],
    ['comments', 'Recommended for new accounts.'],
    ['comments', 'Read at once, in one statement.'],
    ['docs', '## What you need'],
    ['docs', 'What does it cost? Nothing.'],
    ['texts', 'What should we call you?'],
  ]),
)('accepts in %s: %s', (kind, text) => {
  expect(rulesIn(kind, text)).toEqual([])
})

test('reads the comments of code and styles', () => {
  const code =
    '// One line,\n// continued.\nconst a = "// no" /* {Answer} @param {{ a: {} }} answer inside */\n/**\n * Two\n * lines. */\n'
  expect(listComments('a.ts', code).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '1 One line, continued.',
    '3 @param inside',
    '4 Two lines.',
  ])
  expect(listComments('a.css', 'a {}\n/* A style. */').map(({ line, text }) => `${line} ${text}`)).toEqual([
    '2 A style.',
  ])
})

test('grades a page by its sentences', async () => {
  const easy = await gradePage('# Title\n\nYou sign in with a wallet. The server keeps the session.\n')
  expect(easy).toMatchObject({ readability: 100, passive: 0, complex: 0 })
  const hard = await gradePage(
    'Notwithstanding the aforementioned organizational considerations, administrators are encouraged to utilize ' +
      'comprehensive institutional documentation, which was written in order to facilitate interoperability.\n',
  )
  expect(hard.readability).toBe(0)
  expect(hard.passive).toBeGreaterThan(0)
  expect(hard.complex).toBeGreaterThan(0)
})

test('fails on one more than the budget, and lowers the budget only', () => {
  const finding = { rule: 'answer', kind: /** @type {Kind} */ ('docs'), area: 'docs', file: 'a', line: 1, text: 'x' }
  const grade = { words: 500, readability: 80, passive: 5, complex: 20 }
  const prose = { findings: { answer: { 'docs docs': [finding, finding] } }, grades: new Map([['docs/a.md', grade]]) }
  const limits = { readability: 85, passive: 10, complex: 10 }
  const budget = {
    limits,
    pages: { 'docs/a.md': { readability: 70, complex: 20 }, 'docs/gone.md': { passive: 20 } },
    counts: { answer: { 'docs docs': 2 }, mend: { 'docs docs': 2 } },
    exceptions: [],
  }
  expect(compareProse(prose, budget)).toEqual([])
  expect(compareProse(prose, { ...budget, counts: { answer: { 'docs docs': 1 } } })).toHaveLength(1)
  expect(compareProse(prose, { ...budget, pages: {} })).toHaveLength(2)
  expect(lowerBudget(prose, { ...budget, counts: { ...budget.counts, answer: { 'docs docs': 5 } } })).toEqual({
    limits,
    pages: { 'docs/a.md': { readability: 80, complex: 20 } },
    counts: { answer: { 'docs docs': 2 } },
    exceptions: [],
  })
})
