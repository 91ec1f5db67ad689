import { CountersignError, type WireChanges, type WireValue } from '@countersign/protocol'
import type { Change } from './Change.ts'
import { checkFieldName, defaultFieldNames } from './fieldNames.ts'
import { readOperations } from './readOperations.ts'

/** Names that reach the prototype of an object. */
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype'])

/** A class has 500 fields at most. */
const mostChanges = 1_000
const mostParts = 100
const mostOperations = 50

/** Reads what a client wants changed; refuses what is not well formed. Times, id and ACL are the caller's to take out. */
export function readChanges(changes: WireChanges): Change[] {
  const entries = Object.entries(changes)
  if (entries.length > mostChanges) {
    throw new CountersignError('InvalidJson', `A write may name ${mostChanges} fields at most.`)
  }
  const read = entries.flatMap(([key, value]) => {
    const [field = '', ...path] = key.split('.')
    if (defaultFieldNames.has(field) || field === 'id') {
      throw new CountersignError('InvalidKeyName', `${field} is an invalid field name.`)
    }
    checkFieldName(field)
    checkPath(key, path)
    return readOperations(value as WireValue).map((what) => {
      if (path.length > 0 && (what.kind === 'relate' || what.kind === 'unrelate')) {
        throw new CountersignError('InvalidKeyName', `Invalid field name: ${key}. A relation has no parts.`)
      }
      return { field, path, ...what } as Change
    })
  })
  checkParts(read)
  return read
}

/** Each change inside a field encloses those before it, and the database reads them one inside the other. */
function checkParts(changes: Change[]): void {
  const parts = changes.filter(({ path }) => path.length > 0)
  if (parts.length <= mostParts && parts.filter(({ kind }) => kind !== 'set').length <= mostOperations) return
  throw new CountersignError(
    'InvalidJson',
    `A write may set ${mostParts} parts of fields, and change ${mostOperations} by operations, at most. Write whole fields instead.`,
  )
}

function checkPath(key: string, path: string[]): void {
  if (path.some((part) => part === '')) {
    throw new CountersignError('InvalidKeyName', `Invalid field name: ${key.slice(0, 100)}.`)
  }
  const forbidden = path.find((part) => prototypeNames.has(part))
  if (forbidden) {
    throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${forbidden}"}.`)
  }
  if (path.some((part) => part.startsWith('$'))) {
    throw new CountersignError('InvalidNestedKey', "Nested keys should not contain the '$' or '.' characters")
  }
  // The database recurses for each level; so deep a path is no one's field.
  if (path.length > 100) throw new CountersignError('InvalidKeyName', 'A dotted name may have 100 parts at most.')
}
