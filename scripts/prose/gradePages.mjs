import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRetext from 'remark-retext'
import retextEnglish from 'retext-english'
import retextPassive from 'retext-passive'
import retextReadability from 'retext-readability'
import retextSimplify from 'retext-simplify'
import { unified } from 'unified'
import { root } from '../steps/root.mjs'

/**
 * @typedef {{ words: number, readability: number, passive: number, complex: number }} Grade `readability` is the share
 *   of sentences that a reader of 16 years understands, in percent; `passive` and `complex` are findings for each 1,000
 *   words. Code and tables do not count.
 */

/** Terms of this field that retext-simplify would replace: "request" by "ask", "delete" by "cut". */
const terms = [
  ...['address', 'aggregate', 'authorize', 'capability', 'component', 'delete', 'function', 'implement', 'interface'],
  ...['maximum', 'minimum', 'notify', 'option', 'parameters', 'render', 'request', 'require', 'selection', 'type'],
  ...['immediately', 'has no effect', 'effect', 'relative to'],
]

/** @param {{ words: number, sentences: number }} size */
const counter = (size) => () => (/** @type {any} */ tree) => {
  const count = (/** @type {any} */ node) => {
    if (node.type === 'WordNode') size.words++
    if (node.type === 'SentenceNode') size.sentences++
    for (const child of node.children ?? []) count(child)
  }
  count(tree)
}

/**
 * @param {string} page
 * @returns {Promise<Grade>}
 */
export async function gradePage(page) {
  const size = { words: 0, sentences: 0 }
  const prose = unified()
    .use(retextEnglish)
    .use(counter(size))
    .use(retextPassive)
    .use(retextReadability, { age: 16 })
    .use(retextSimplify, { ignore: terms })
  const checker = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRetext, /** @type {any} */ (prose))
    .use(function discardOutput() {
      this.compiler = () => ''
    })
  const { messages } = await checker.process(page)
  const amount = (/** @type {string} */ source) => messages.filter((message) => message.source === source).length
  const each1000 = (/** @type {number} */ found) => Math.round((found * 10_000) / Math.max(size.words, 1)) / 10
  return {
    words: size.words,
    readability: Math.round(100 - (amount('retext-readability') * 100) / Math.max(size.sentences, 1)),
    passive: each1000(amount('retext-passive')),
    complex: each1000(amount('retext-simplify')),
  }
}

/**
 * Grades each page. Pages that did not change since the last run are taken from a cache, since reading all of them
 * takes seconds.
 *
 * @param {{ file: string, page: string }[]} pages
 * @returns {Promise<Map<string, Grade>>} grades by file
 */
export async function gradePages(pages) {
  const cache = join(root, 'node_modules/.cache/countersign/prose.json')
  const rules = readFileSync(import.meta.filename)
  const known = readCache(cache)
  /** @type {Record<string, Grade>} */
  const kept = {}
  const grades = new Map()
  for (const { file, page } of pages) {
    const key = createHash('sha256').update(rules).update(page).digest('hex')
    kept[key] = known[key] ?? (await gradePage(page))
    grades.set(file, kept[key])
  }
  mkdirSync(dirname(cache), { recursive: true })
  writeFileSync(cache, JSON.stringify(kept))
  return grades
}

/**
 * @param {string} file
 * @returns {Record<string, Grade>}
 */
function readCache(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
