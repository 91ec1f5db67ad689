import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './root.mjs'

const source = join(root, 'apps/web/src')
/** The attributes that people read. */
const shown = new Set(['title', 'label', 'hint', 'placeholder', 'alt', 'aria-label', 'all', 'what', 'action'])

/** @typedef {{ type: string, start: number, [key: string]: any }} Node */

/**
 * Every text that the web application says, and every fault in how it says something.
 *
 * @returns {{ said: Set<string>, faults: string[] }}
 */
export function readWords() {
  /** @type {Set<string>} */
  const said = new Set()
  /** @type {string[]} */
  const faults = []
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$/.test(file)) readFile(file, said, faults)
  return { said, faults }
}

/**
 * @param {string} file
 * @param {Set<string>} said
 * @param {string[]} faults
 */
function readFile(file, said, faults) {
  const code = readFileSync(join(source, file), 'utf8')
  const report = (/** @type {Node} */ node, /** @type {string} */ text) =>
    faults.push(`${file}:${code.slice(0, node.start).split('\n').length} ${text}`)
  const keep = (/** @type {Node} */ node, /** @type {Node | undefined} */ value, /** @type {boolean} */ isLate) => {
    const text = textOf(value)
    if (text === undefined) report(node, 'says what is no literal text')
    else said.add(text)
    if (!isLate) report(node, `says “${text}” while the module loads`)
  }
  walk(parseSync(file, code).program, false, (node, isLate) => {
    if (node.type === 'CallExpression' && node.callee.name === 'say') keep(node, node.arguments[0], isLate)
    if (node.type === 'JSXOpeningElement' && node.name.name === 'Phrase')
      keep(node, contentOf(node.attributes.find((/** @type {Node} */ each) => each.name?.name === 'text')), isLate)
    if (node.type === 'JSXText' && isWords(node.value)) report(node, `shows “${node.value.trim()}” unsaid`)
    if (node.type === 'JSXAttribute' && shown.has(node.name.name) && isWords(textOf(contentOf(node))))
      report(node, `shows “${textOf(contentOf(node))}” unsaid`)
    if (node.type === 'VariableDeclarator' && node.id.name === 'serverSentences')
      for (const each of node.init.elements) said.add(each.value)
  })
}

/**
 * @param {any} node
 * @param {boolean} isLate whether it runs only when a function is called
 * @param {(node: Node, isLate: boolean) => void} visit
 */
function walk(node, isLate, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, isLate, visit)
  else if (typeof node === 'object' && node !== null) {
    if (typeof node.type === 'string') visit(node, isLate)
    for (const value of Object.values(node)) walk(value, isLate || /Function/.test(node.type), visit)
  }
}

/**
 * @param {Node | undefined} node
 * @returns {string | undefined}
 */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  return node?.type === 'TemplateLiteral' && node.quasis.length === 1 ? node.quasis[0].value.cooked : undefined
}

/** @param {Node | undefined} attribute */
const contentOf = (attribute) =>
  attribute?.value?.type === 'JSXExpressionContainer' ? attribute.value.expression : attribute?.value

/** @param {unknown} text */
const isWords = (text) => typeof text === 'string' && /\p{L}{2}/u.test(text)
