import type { Exports } from './createImporter.ts'
import { type Definition, mark } from './Definition.ts'

export type NamedDefinition = { name: string; exported: string; definition: Definition }

/** Letters that need no escape in an address. */
const goodName = /^[A-Za-z][\w.-]{0,199}$/

/** What a file defines, by the names that clients call it by. */
export function listDefinitions(fileName: string, exports: Exports): NamedDefinition[] {
  const stem = fileName.replace(/\.[^.]+$/, '')
  return Object.entries(exports).flatMap(([exported, definition]) => {
    if (!isDefinition(definition)) return []
    const given = 'name' in definition ? definition.name : undefined
    const name = given ?? (exported === 'default' ? stem : exported)
    if (!goodName.test(name)) {
      throw new Error(`${name} is no good name: letters, digits, _ . and - only, and a letter first.`)
    }
    return [{ name, exported, definition }]
  })
}

function isDefinition(value: unknown): value is Definition {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, mark)
}
