import { execFileSync } from 'node:child_process'
import { root } from '../steps/root.mjs'
import { gradePage } from './gradePages.mjs'
import { listFindings } from './listFindings.mjs'
import { listPages, splitPage } from './listPassages.mjs'
import { readGlossary } from './readGlossary.mjs'

/** @typedef {{ words: number, readability: number, passive: number, complex: number, openings: number, forbidden: number }} Figures */

/**
 * Compares the pages of docs/ with those of a commit, by the rules of today.
 *
 * @param {string} commit
 * @returns {Promise<string>} a table in Markdown
 */
export async function comparePages(commit) {
  const now = await readFigures(listPages().filter(({ file }) => file.startsWith('docs/')))
  const before = await readFigures(readCommit(commit))
  const files = [...new Set([...before.keys(), ...now.keys()])].sort()
  const rows = files.map((file) => writeRow(file.replace('docs/', ''), before.get(file), now.get(file)))
  const head = [
    '| page | words | easy sentences % | passive | complex words | relative openings | forbidden words |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ]
  return [...head, ...rows, writeRow('**all**', sumUp([...before.values()]), sumUp([...now.values()]))].join('\n')
}

/**
 * @param {{ file: string, page: string }[]} pages
 * @returns {Promise<Map<string, Figures>>} by file; `words` are all words, with code and tables
 */
async function readFigures(pages) {
  const rules = readGlossary()
  /** @type {Map<string, Figures>} */
  const figures = new Map()
  for (const page of pages) {
    const { readability, passive, complex } = await gradePage(page.page)
    const found = listFindings(splitPage(page), rules)
    const openings = found.filter(({ rule }) => rule === 'relative clause').length
    const words = page.page.split(/\s+/).filter(Boolean).length
    figures.set(page.file, { words, readability, passive, complex, openings, forbidden: found.length - openings })
  }
  return figures
}

/** @param {string} commit */
function readCommit(commit) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 50_000_000 })
  return git('ls-tree', '-r', '--name-only', commit, 'docs')
    .split('\n')
    .filter((file) => /^docs\/(?!glossary)[^/]+\.md$/.test(file))
    .map((file) => ({ file, page: git('show', `${commit}:${file}`) }))
}

/** @param {string} name @param {Figures} [before] @param {Figures} [now] */
function writeRow(name, before, now) {
  const keys = /** @type {const} */ (['words', 'readability', 'passive', 'complex', 'openings', 'forbidden'])
  const cells = keys.map((key) => `${before?.[key] ?? '–'} → ${now?.[key] ?? '–'}`)
  return `| ${name} | ${cells.join(' | ')} |`
}

/** Sums of counts, and means of shares by the words of each page. @param {Figures[]} all @returns {Figures} */
function sumUp(all) {
  const sum = (/** @type {(each: Figures) => number} */ read) => all.reduce((total, each) => total + read(each), 0)
  const words = sum((each) => each.words)
  const mean = (/** @type {'readability' | 'passive' | 'complex'} */ key) =>
    Math.round((sum((each) => each[key] * each.words) * 10) / words) / 10
  return {
    ...{ words, readability: mean('readability'), passive: mean('passive'), complex: mean('complex') },
    ...{ openings: sum((each) => each.openings), forbidden: sum((each) => each.forbidden) },
  }
}
