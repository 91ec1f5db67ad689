import type { Condition } from './Condition.ts'

export const never: Condition = { kind: 'constant', holds: false }
export const always: Condition = { kind: 'constant', holds: true }

/** Every one of them; what is certain is left out. */
export function all(of: readonly Condition[]): Condition {
  const open = of.filter((condition) => condition.kind !== 'constant' || !condition.holds)
  if (open.some((condition) => condition.kind === 'constant')) return never
  return open.length === 0 ? always : open.length === 1 ? (open[0] as Condition) : { kind: 'all', of: open }
}

/** At least one of them. */
export function any(of: readonly Condition[]): Condition {
  const open = of.filter((condition) => condition.kind !== 'constant' || condition.holds)
  if (open.some((condition) => condition.kind === 'constant')) return always
  return open.length === 0 ? never : open.length === 1 ? (open[0] as Condition) : { kind: 'any', of: open }
}

export function not(of: Condition): Condition {
  if (of.kind === 'constant') return of.holds ? never : always
  return of.kind === 'not' ? of.of : { kind: 'not', of }
}
