import { parseExpression } from '@babel/parser'
import { version } from '../../version.ts'
import type { Edit, Examined, Flag } from './Finding.ts'
import { newModule, oldModule, sdkModule } from './names.ts'
import type { Node } from './parseSource.ts'

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Finds the edits of a package.json. `keepsSdk`: a file of the package still imports the older SDK. */
export function examinePackage(source: string, keepsSdk: boolean): Examined {
  const edits: Edit[] = []
  const flags: Flag[] = []
  const root = readObject(source)
  if (!root)
    return { edits, flags: [{ line: 1, advice: 'This file is not valid JSON. Change its dependencies yourself.' }] }
  const lists = listFields(root).filter(({ name }) => sections.includes(name))
  const hasOurs = lists.some(({ value }) => listFields(value).some(({ name }) => name === newModule))
  let usesOld = false
  for (const list of lists) {
    const fields = listFields(list.value)
    let isAdded = fields.some(({ name }) => name === newModule)
    const gone = new Set(fields.filter(({ name }) => name === oldModule || (sdkModule.test(name) && !keepsSdk)))
    for (const one of fields) {
      const { name, node, value } = one
      const { line } = node.loc.start
      if (name === oldModule) usesOld = true
      if (name === oldModule && !isAdded) {
        isAdded = true
        gone.delete(one)
        edits.push({ start: node.start, end: node.end, text: `"${newModule}": "^${version}"`, line })
      } else if (sdkModule.test(name) && keepsSdk) {
        flags.push({ line, advice: `${name} is still imported. Remove it from here when it is no longer imported.` })
      } else if (name === 'react' && Number(/\d+/.exec(String(value.value))?.[0] ?? 18) < 18) {
        flags.push({ line, advice: `${newModule} needs React 18 or later.` })
      }
    }
    const isEmptied = fields.length > 0 && gone.size === fields.length
    const { start, end, loc } = list.value
    edits.push(...(isEmptied ? [{ start, end, text: '{}', line: loc.start.line }] : removeFields(fields, gone)))
  }
  // A package that never had the old hooks keeps what it has.
  return usesOld || hasOurs ? { edits, flags } : { edits: [], flags: [] }
}

type Field = { readonly name: string; readonly node: Node; readonly value: Node }

function readObject(source: string): Node | undefined {
  try {
    JSON.parse(source)
    return parseExpression(source) as unknown as Node
  } catch {
    return undefined
  }
}

function listFields(object: Node): Field[] {
  if (object.type !== 'ObjectExpression') return []
  return (object.properties as Node[]).map((node) => ({
    name: String((node.key as Node).value),
    node,
    value: node.value as Node,
  }))
}

/** Each goes with the comma and the line break that join it to a neighbour that stays. */
function removeFields(fields: readonly Field[], gone: ReadonlySet<Field>): Edit[] {
  const edits: Edit[] = []
  let kept: Field | undefined
  for (const [index, one] of fields.entries()) {
    if (!gone.has(one)) {
      kept = one
      continue
    }
    const { start, end, loc } = one.node
    const next = fields[index + 1]
    const span = kept ? { start: fields[index - 1]?.node.end ?? start, end } : { start, end: next?.node.start ?? end }
    edits.push({ ...span, text: '', line: loc.start.line })
  }
  return edits
}
