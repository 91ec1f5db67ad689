import { CountersignError } from '@countersign/protocol'

const pattern = /^[A-Za-z][A-Za-z0-9_]*$/
const reserved = new Set(['length', 'className'])

/** PostgreSQL cuts longer identifiers, so two long names could become one column. */
const longest = 63

function isFieldName(name: string): boolean {
  return pattern.test(name) && name.length <= longest && !reserved.has(name)
}

export function checkFieldName(name: string): void {
  if (!isFieldName(name)) throw new CountersignError('InvalidKeyName', `Invalid field name: ${name.slice(0, 100)}.`)
}
