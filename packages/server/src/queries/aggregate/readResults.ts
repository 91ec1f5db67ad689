import type { WireFields, WireValue } from '@countersign/protocol'
import type { Value } from './Value.ts'
import type { Scope } from './Work.ts'

/** The rows of a pipeline as objects on the wire. */
export function readResults({ columns, rest }: Scope, rows: Record<string, unknown>[]): WireFields[] {
  return rows.map((row) => {
    const object: WireFields = {}
    // Defined, not assigned: a computed field may be called __proto__.
    const put = (name: string, value: WireValue) =>
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
    for (const [name, value] of Object.entries((rest && (row[rest.sql] as WireFields)) ?? {})) put(name, value)
    for (const [name, value] of columns) {
      const stored = row[value.sql]
      if (stored !== null && stored !== undefined) put(name, readValue(name, value, stored))
      else if (!value.optional) put(name, null)
    }
    return object
  })
}

function readValue(name: string, { type, targetClass }: Value, stored: unknown): WireValue {
  if (type === 'pointer') return { __type: 'Pointer', className: targetClass ?? '', objectId: stored as string }
  if (type !== 'date') return stored as WireValue
  const iso = new Date(stored as string).toISOString()
  return name === 'createdAt' || name === 'updatedAt' ? iso : { __type: 'Date', iso }
}
