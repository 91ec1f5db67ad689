import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'

/**
 * @typedef {'docs' | 'comments' | 'tests' | 'texts' | 'code'} Kind `code` is every line of code, names included
 * @typedef {{ name: string, pattern: RegExp, kinds: Kind[] }} Rule
 */

/** @type {Record<string, Kind[]>} kinds of passages by the third column of the glossary's table */
const extents = {
  everywhere: ['docs', 'texts', 'code'],
  prose: ['docs', 'comments', 'tests', 'texts'],
  'docs and texts': ['docs', 'texts'],
  texts: ['texts'],
}

/**
 * Reads the forbidden words from docs/glossary.md, so that the check and the page are one list.
 *
 * @param {string} [page]
 * @returns {Rule[]}
 */
export function readGlossary(page = readFileSync(join(root, 'docs/glossary.md'), 'utf8')) {
  const table = page.split('## Words that are not used')[1] ?? ''
  const rows = [...table.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].slice(1)
  return rows
    .filter(([, words = '']) => !words.startsWith('-'))
    .map(([, words = '', extent = '']) => {
      const kinds = extents[extent.trim()]
      if (!kinds) throw new Error(`docs/glossary.md: "${extent}" is not one of: ${Object.keys(extents).join(', ')}`)
      return { name: (words.split(',')[0] ?? '').trim(), pattern: patternOf(words), kinds }
    })
}

/** Matches the words with the usual endings. @param {string} words */
const patternOf = (words) =>
  new RegExp(
    `\\b(?:${words
      .split(',')
      .map((word) => word.trim().replaceAll(' ', '\\s+'))
      .join('|')})(?:s|ed|ing)?\\b`,
    'gi',
  )
