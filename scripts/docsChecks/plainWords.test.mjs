import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWords } from '../steps/readWords.mjs'
import { root } from '../steps/root.mjs'

// The words are listed, with what to write instead, in docs/glossary.md.
const everywhere = /\b(mend(s|ed|ing)?|anew|who(so)?ever|whomever|of late|ways? in|(is|are|was|were|be|been) told)\b/i
const inTexts = /\b(at once|for good|e-mails?|user names?|colours?|neighbour\w*|favourite\w*|cancelled)\b/i
const inDocs = /\b(e-mails?|user names?)\b/i

/** The migrations are left out: the texts of those that ran cannot change. */
const cleanCode = [
  'packages/protocol',
  'packages/react',
  'packages/moralis',
  'packages/server',
  'apps',
  'e2e',
  'scripts',
  'bench',
  'examples',
  '*.config.ts',
]

/** @param {string[]} paths */
const listFiles = (...paths) =>
  execFileSync('git', ['ls-files', '-z', '--', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '')

/** @param {string} file */
const read = (file) => readFileSync(join(root, file), 'utf8')

/**
 * @param {string} text
 * @param {RegExp[]} patterns
 */
const hasBanned = (text, ...patterns) => patterns.some((pattern) => pattern.test(text))

/** The strings of a table of texts, without its names. @param {string} file */
const listTexts = (file) => [...read(file).matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text = '']) => text)

/** Prose alone: no code, no addresses of links, no anchors. @param {string} page */
const proseOf = (page) =>
  page
    .replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)\n]*\)/g, ']')

test('no text that people read has a word that is not used here', () => {
  const texts = [
    ...readWords().said.values(),
    ...listFiles('packages/react/src/**/en.ts', 'packages/server/src/mail/**/en.ts').flatMap(listTexts),
  ]
  expect(texts.length).toBeGreaterThan(900)
  expect(texts.filter((text) => hasBanned(text, everywhere, inTexts))).toEqual([])
})

test('no page of the documentation has one', () => {
  const pages = listFiles('docs/*.md', '*.md').filter((file) => !/glossary|CHANGELOG|screens\/|bench\//.test(file))
  expect(pages.length).toBeGreaterThan(30)
  const found = pages.flatMap((file) =>
    proseOf(read(file))
      .split('\n')
      .flatMap((line, index) => (hasBanned(line, everywhere, inDocs) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test('no code has one, in names, comments or sentences', () => {
  const found = listFiles(...cleanCode)
    .filter((file) => /\.(tsx?|m?js)$/.test(file) && !/plainWords\.test\.mjs$|\/migrations\//.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (hasBanned(line, everywhere) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})

test.each(['It is read anew.', 'Whoever asks, is answered.', 'Two ways in', 'how to mend it', 'The owner is told.'])(
  'a planted one is found: %s',
  (line) => {
    expect(hasBanned(line, everywhere)).toBe(true)
  },
)
