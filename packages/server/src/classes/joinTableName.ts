import { shortenName } from './shortenName.ts'

/** The table in which a relation lies. The colons keep it apart from every class. */
export function joinTableName(className: string, field: string): string {
  return shortenName(`_Join:${field}:${className}`)
}
