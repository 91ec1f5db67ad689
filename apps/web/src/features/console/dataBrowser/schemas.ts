import type { WireFields } from '@countersign/protocol'
import { createContext, useContext } from 'react'
import { type Fields, orderColumns } from './dataValues.ts'

/** Fields by class. Empty until the classes are read. */
export type Schemas = ReadonlyMap<string, Fields>

export const SchemasContext = createContext<Schemas>(new Map())

export const useSchemas = () => useContext(SchemasContext)

/** Names of fields that say what an object is, the best first. */
const telling = ['name', 'title', 'displayName', 'label', 'username', 'subject', 'slug', 'email']

/** The field that stands for an object: one with a telling name, else the first text of the class. */
export function findDisplayField(fields: Fields | undefined): string | undefined {
  if (!fields) return undefined
  const isText = (name: string) => name !== 'objectId' && fields[name]?.type === 'String'
  return telling.find(isText) ?? orderColumns(fields).find(isText)
}

/** The name of an object; its id where the field that names it is empty. */
export function nameObject(fields: Fields | undefined, row: WireFields): string {
  const field = findDisplayField(fields)
  const text = field === undefined ? undefined : row[field]
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 200) : String(row.objectId)
}

/** Address of an object in the data browser. */
export const objectPath = (className: string, objectId: string) =>
  `/admin/data/${encodeURIComponent(className)}?row=${encodeURIComponent(objectId)}`

/** The application's own first, each by name. */
export const sortClasses = <Listed>(classes: readonly Listed[], nameOf: (each: Listed) => string) =>
  classes.toSorted(
    (a, b) =>
      Number(nameOf(a).startsWith('_')) - Number(nameOf(b).startsWith('_')) || nameOf(a).localeCompare(nameOf(b)),
  )
