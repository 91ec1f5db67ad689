import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { ambiguousTexts } from './ambiguousTexts.mjs'
import { root } from './root.mjs'

const source = join(root, 'apps/web/src')
/** The attributes that people read. */
const shown = new Set(['title', 'label', 'hint', 'placeholder', 'alt', 'aria-label', 'all', 'what', 'action'])

/** @typedef {{ type: string, start: number, [key: string]: any }} Node */

/**
 * Every text that the web application says, and every fault in how it says something. `said` has the English text of
 * each key: a text is its own key, without the meaning after its bar (`Set up|action`); a refusal has `reason.` and its stable name. `console` has the keys that the console
 * alone says.
 *
 * @returns {{ said: Map<string, string>, console: Set<string>, faults: string[] }}
 */
export function readWords() {
  /** @type {Map<string, string>} */
  const said = new Map()
  /** @type {Map<string, string>} */
  const saidInConsole = new Map()
  /** @type {string[]} */
  const faults = []
  /** @type {Map<string, Set<'action' | 'state'>>} */
  const uses = new Map()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$/.test(file))
      readTexts(
        file,
        readFileSync(join(source, file), 'utf8'),
        file.startsWith(join('features', 'console')) ? saidInConsole : said,
        faults,
        uses,
      )
  faults.push(...listDoubleUses(uses))
  for (const [reason, sentence] of readReasons()) said.set(`reason.${reason}`, sentence)
  const console = new Set([...saidInConsole.keys()].filter((text) => !said.has(text)))
  return { said: new Map([...saidInConsole, ...said]), console, faults }
}

/** @returns {Map<string, string>} the English sentence of each reason of the protocol */
function readReasons() {
  const file = join(root, 'packages/protocol/src/reasons.ts')
  /** @type {Map<string, string>} */
  const sentences = new Map()
  walk(parseSync(file, readFileSync(file, 'utf8')).program, false, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.name !== 'reasons') return
    for (const { key, value } of tableOf(node.init).properties) {
      const sentence = value.properties.find((/** @type {Node} */ each) => each.key.name === 'sentence')
      sentences.set(key.name, textOf(sentence.value) ?? '')
    }
  })
  return sentences
}

/**
 * @param {Node} node
 * @returns {Node} the object behind `as const satisfies …`
 */
const tableOf = (node) => (node.type === 'ObjectExpression' ? node : tableOf(node.expression))

/**
 * Reads the texts of one file.
 *
 * @param {string} file
 * @param {string} code
 * @param {Map<string, string>} said
 * @param {string[]} faults
 * @param {Map<string, Set<'action' | 'state'>>} uses of each text without a meaning
 */
export function readTexts(file, code, said, faults, uses) {
  const report = (/** @type {Node} */ node, /** @type {string} */ text) =>
    faults.push(`${file}:${code.slice(0, node.start).split('\n').length} ${text}`)
  const keep = (/** @type {Node} */ node, /** @type {Node | undefined} */ value, /** @type {boolean} */ isLate) => {
    const text = textOf(value)
    if (text === undefined) report(node, 'says what is no literal text')
    else if (/\|\w*-[\w-]*$/.test(text)) report(node, 'has a meaning after its bar that is not one word')
    else said.set(text, text.replace(/\|\w+$/, ''))
    if (text !== undefined && ambiguousTexts.has(text))
      report(node, `says “${text}”, which has two meanings: add one after a bar (“${text}|action”)`)
    if (!isLate) report(node, `says “${text}” while the module loads`)
  }
  walk(parseSync(file, code).program, false, (node, isLate) => {
    if (node.type === 'CallExpression' && node.callee.name === 't') keep(node, node.arguments[0], isLate)
    if (node.type === 'JSXOpeningElement' && node.name.name === 'Trans')
      keep(node, contentOf(node.attributes.find((/** @type {Node} */ each) => each.name?.name === 'text')), isLate)
    if (node.type === 'JSXElement') keepUses(node, uses)
    if (node.type === 'JSXText' && isWords(node.value)) report(node, `shows “${node.value.trim()}” unsaid`)
    if (node.type === 'JSXAttribute' && shown.has(node.name.name) && isWords(textOf(contentOf(node))))
      report(node, `shows “${textOf(contentOf(node))}” unsaid`)
  })
}

/** Elements whose content or label is an action, and those whose content is a state. */
const elementUses = new Map(
  /** @type {['action' | 'state', string[]][]} */ ([
    ['action', ['Button', 'ButtonLink', 'IconButton', 'IconLink', 'MenuItem', 'MenuLink']],
    ['state', ['Badge', 'Detail', 'Fact']],
  ]).flatMap(([use, names]) => names.map((name) => [name, use])),
)

/**
 * Notes the texts of an element as actions or states. Elements inside it that have a use of their own are left to them.
 *
 * @param {Node} element
 * @param {Map<string, Set<'action' | 'state'>>} uses
 */
function keepUses(element, uses) {
  const { name, attributes } = element.openingElement
  const use = elementUses.get(name.name)
  if (!use) return
  /** @param {any} part */
  const visit = (part) => {
    if (Array.isArray(part)) return part.forEach(visit)
    if (typeof part !== 'object' || part === null) return
    if (part.type === 'JSXElement' && elementUses.has(part.openingElement.name.name)) return
    const text = part.type === 'CallExpression' && part.callee.name === 't' ? textOf(part.arguments[0]) : undefined
    if (text) uses.set(text, (uses.get(text) ?? new Set()).add(use))
    Object.values(part).forEach(visit)
  }
  visit(element.children)
  if (use === 'action') visit(attributes.filter((/** @type {Node} */ each) => each.name?.name === 'label'))
}

/**
 * Texts that an action and a state share: in most languages an action and a state have different forms.
 *
 * @param {Map<string, Set<'action' | 'state'>>} uses
 */
export const listDoubleUses = (uses) =>
  [...uses]
    .filter(([, each]) => each.size > 1)
    .map(([text]) => `“${text}” is an action and a state: add its meaning after a bar (“${text}|action”)`)

/**
 * @param {any} node
 * @param {boolean} isLate true if it runs only when a function is called
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
