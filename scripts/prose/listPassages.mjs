import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { readWords } from '../steps/readWords.mjs'
import { root } from '../steps/root.mjs'

/** @typedef {{ kind: import('./readGlossary.mjs').Kind, file: string, line: number, text: string }} Passage */

const codeFolders = ['packages', 'apps', 'e2e', 'scripts', 'bench', 'examples', '*.config.ts']
/** Left out: migrations, whose texts cannot change after they ran, and the samples of this check. */
const isCode = (/** @type {string} */ file) =>
  /\.(tsx?|m?js|css)$/.test(file) && !/\/migrations\/|plainWords\.test\.mjs$/.test(file)
/** Left out: pages that are generated, and the one that lists the forbidden words. */
const isPage = (/** @type {string} */ file) => !/glossary|CHANGELOG|screens\/|bench\//.test(file)

/** @param {string[]} paths */
const listFiles = (...paths) =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '')

/** @returns {{ file: string, page: string }[]} the pages of the documentation */
export const listPages = () =>
  [...new Set(listFiles('docs/*.md', '*.md'))].filter(isPage).flatMap((file) => {
    const page = read(file)
    return page === undefined ? [] : [{ file, page }]
  })

/** @returns {Passage[]} all the prose of the repository */
export function listPassages() {
  /** @type {Passage[]} */
  const passages = listPages().flatMap(splitPage)
  for (const file of listFiles(...codeFolders).filter(isCode)) {
    const code = read(file)
    if (code === undefined) continue
    passages.push(...splitLines('code', file, code), ...listComments(file, code))
    if (/\.(test|spec)\./.test(file)) passages.push(...listTestNames(file, code))
  }
  for (const text of readWords().said.values()) passages.push({ kind: 'texts', file: 'apps/web', line: 0, text })
  for (const file of listFiles('packages/react/src/**/en.ts', 'packages/server/src/mail/**/en.ts'))
    for (const [, text = ''] of (read(file) ?? '').matchAll(/'((?:[^'\\\n]|\\.)*)'/g))
      passages.push({ kind: 'texts', file, line: 0, text })
  return passages
}

/** Undefined for a file that was deleted or moved but not committed yet. @param {string} file */
function read(file) {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

/**
 * @param {import('./readGlossary.mjs').Kind} kind
 * @param {string} file
 * @param {string} content
 * @returns {Passage[]}
 */
const splitLines = (kind, file, content) =>
  content.split('\n').flatMap((text, index) => (text.trim() === '' ? [] : [{ kind, file, line: index + 1, text }]))

/** Lines of a page. @param {{ file: string, page: string }} page @returns {Passage[]} */
export const splitPage = ({ file, page }) => splitLines('docs', file, stripCode(page))

/** Prose alone: no code, no addresses of links, no anchors. @param {string} page */
const stripCode = (page) =>
  page
    .replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '`…`')
    .replaceAll(/\]\([^)\n]*\)/g, ']')

/**
 * Comments with their text alone. Line comments below one another are one comment.
 *
 * @param {string} file
 * @param {string} code
 * @returns {Passage[]}
 */
export function listComments(file, code) {
  const found = file.endsWith('.css')
    ? [...code.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ index, 0: text }) => ({ start: index, end: index + text.length }))
    : parseSync(file, code).comments
  /** @type {{ start: number, end: number }[]} */
  const joined = []
  for (const { start, end } of found) {
    const before = joined.at(-1)
    const continues = before && code.startsWith('//', start) && code.startsWith('//', before.start)
    if (continues && /^\n[ \t]*$/.test(code.slice(before.end, start))) before.end = end
    else joined.push({ start, end })
  }
  return joined.map(({ start, end }) => ({
    kind: 'comments',
    file,
    line: code.slice(0, start).split('\n').length,
    text: stripTypes(
      code
        .slice(start, end)
        .split('\n')
        .map((line) => line.replace(/^\s*(\/\*+|\/\/+|\*(?!\/))?\s*/, '').replace(/\s*\*+\/$/, ''))
        .join(' ')
        .trim(),
    ),
  }))
}

/** A comment's words alone: no code, no types of JSDoc, from the innermost on. @param {string} text */
function stripTypes(text) {
  let left = text.replaceAll(/`[^`]*`/g, '`…`')
  for (let before = ''; before !== left; ) {
    before = left
    left = left.replaceAll(/\{[^{}]*\}/g, '')
  }
  return left.replaceAll(/@(param|property|template|typedef)\s+\[?[\w.]+/g, '@$1').trim()
}

/**
 * @param {string} file
 * @param {string} code
 * @returns {Passage[]}
 */
function listTestNames(file, code) {
  /** @type {Passage[]} */
  const names = []
  visitCalls(parseSync(file, code).program, (call) => {
    const [first] = call.arguments
    if (!/^(test|it|describe)\b/.test(code.slice(call.start, call.start + 10)) || !first) return
    if (!(first.type === 'Literal' && typeof first.value === 'string') && first.type !== 'TemplateLiteral') return
    const line = code.slice(0, first.start).split('\n').length
    names.push({ kind: 'tests', file, line, text: code.slice(first.start + 1, first.end - 1) })
  })
  return names
}

/**
 * @param {any} node
 * @param {(call: any) => void} visit
 */
function visitCalls(node, visit) {
  if (node === null || typeof node !== 'object') return
  if (node.type === 'CallExpression') visit(node)
  for (const key in node) if (key !== 'loc') visitCalls(node[key], visit)
}
