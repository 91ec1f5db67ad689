import type { WireFields, WireWhere } from '@countersign/protocol'
import { useEffect, useState } from 'react'
import { ask } from '../ask.ts'
import type { Fields } from './dataValues.ts'
import { findDisplayField, nameObject, type Schemas, useSchemas } from './schemas.ts'

/** Name of the object that a pointer leads to; `undefined` until it is known, or where there is none. */
export type NamePointer = (className: string, objectId: string) => string | undefined

/** As many names as one request reads. */
const mostAtOnce = 100

const keyOf = (className: string, objectId: string) => `${className}:${objectId}`

/** Names of the objects that the pointers of some rows lead to, read once each. */
export function usePointerNames(fields: Fields, rows: readonly (WireFields | undefined)[]): NamePointer {
  const schemas = useSchemas()
  const [names, setNames] = useState<ReadonlyMap<string, string | undefined>>(new Map())
  const missing = schemas.size === 0 ? [] : listPointers(fields, rows).filter((key) => !names.has(key))
  const wanted = missing.join('\n')
  useEffect(() => {
    if (wanted === '') return
    const control = new AbortController()
    for (const [className, ids] of byClass(wanted.split('\n')))
      readNames(schemas, className, ids.slice(0, mostAtOnce), control.signal).then(
        (found) => setNames((before) => new Map([...before, ...found])),
        // Without names the ids are shown.
        () => {},
      )
    return () => control.abort()
  }, [wanted, schemas])
  return (className, objectId) => names.get(keyOf(className, objectId))
}

/** `class:id` of every pointer in the rows, each once. */
export function listPointers(fields: Fields, rows: readonly (WireFields | undefined)[]): string[] {
  const pointers = Object.keys(fields).filter((name) => fields[name]?.type === 'Pointer')
  const keys = rows.flatMap((row) =>
    pointers.flatMap((name) => {
      const { className, objectId } = Object(row?.[name]) as { className?: unknown; objectId?: unknown }
      return typeof className === 'string' && typeof objectId === 'string' ? [keyOf(className, objectId)] : []
    }),
  )
  return [...new Set(keys)]
}

function byClass(keys: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const key of keys) {
    const at = key.indexOf(':')
    const className = key.slice(0, at)
    found.set(className, [...(found.get(className) ?? []), key.slice(at + 1)])
  }
  return found
}

async function readNames(
  schemas: Schemas,
  className: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string | undefined>> {
  const fields = schemas.get(className)
  const field = findDisplayField(fields)
  // Objects that are gone, or have no name, are not asked for again.
  const names = new Map<string, string | undefined>(ids.map((id) => [keyOf(className, id), undefined]))
  if (field === undefined) return names
  const where = { objectId: { $in: ids } } as unknown as WireWhere
  const { results } = await ask('findObjects', { className, where, keys: field, limit: ids.length }, signal)
  for (const row of results as WireFields[]) names.set(keyOf(className, String(row.objectId)), nameObject(fields, row))
  return names
}
