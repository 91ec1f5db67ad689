import { CountersignError } from '@countersign/protocol'
import { identifierBytes } from './shortenName.ts'

const pattern = /^[A-Za-z][A-Za-z0-9_]*$/
const reserved = new Set(['length', 'className', 'constructor', 'prototype'])

/** Columns that every table has of itself. */
const systemColumns = new Set(['tableoid', 'xmin', 'xmax', 'cmin', 'cmax', 'ctid'])

/** What every object has besides its fields. */
export const defaultFieldNames: ReadonlySet<string> = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL'])

export function isFieldName(name: string): boolean {
  return pattern.test(name) && name.length <= identifierBytes && !reserved.has(name) && !systemColumns.has(name)
}

export function checkFieldName(name: string): void {
  if (!isFieldName(name)) throw new CountersignError('InvalidKeyName', `Invalid field name: ${name.slice(0, 100)}.`)
}
