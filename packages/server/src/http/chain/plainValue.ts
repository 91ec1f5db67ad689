import { toPlain } from '../../chain/reads/toPlain.ts'

/** A decoded value as answers carry it: numbers as decimal text, addresses in lower case. */
export function plainValue(value: unknown): unknown {
  return lowerAddresses(toPlain(value))
}

function lowerAddresses(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(lowerAddresses)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lowerAddresses(each)]))
  return value
}
