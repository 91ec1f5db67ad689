import type { WireFields, WireValue } from '@countersign/protocol'
import type { Page } from './stages.ts'
import { invalid, isObject, shown, type Value } from './Value.ts'
import type { Scope } from './Work.ts'

/** A stage: its name, or `page` for a `$sort` with the `$skip` and `$limit` behind it. */
export type Stage = { name: string; argument: unknown } | { name: 'page'; page: Page }

const mostStages = 100

/** The stages of a pipeline: a list, or an object of them in order. */
export function readStages(pipeline: unknown): Stage[] {
  const given = isObject(pipeline)
    ? Object.entries(pipeline).map(([name, argument]) => ({ [name]: argument }))
    : pipeline
  if (!Array.isArray(given)) throw invalid('A pipeline must be a list of stages.')
  if (given.length > mostStages) throw invalid(`A pipeline can have at most ${mostStages} stages.`)
  const stages: Stage[] = []
  for (const stage of given) {
    const names = isObject(stage) ? Object.keys(stage) : []
    if (names.length !== 1) {
      throw invalid(
        `Pipeline stages should only have one key but found ${names.length === 0 ? 'none' : shown(names.join(', '))}.`,
      )
    }
    const [name = ''] = names
    if (!name.startsWith('$')) throw invalid(`Invalid aggregate stage '${shown(name)}'.`)
    const argument = (stage as Record<string, unknown>)[name]
    const last = stages.at(-1)
    const open = last && 'page' in last ? last.page : undefined
    if (name === '$sort') stages.push({ name: 'page', page: { sort: argument, skip: 0 } })
    else if (name === '$limit' || name === '$skip') {
      const target: Page = open ?? { skip: 0 }
      if (!open) stages.push({ name: 'page', page: target })
      shrink(target, name, readCount(name, argument))
    } else stages.push({ name, argument })
  }
  return stages
}

/** The window that is left when one more limit or skip is laid on it. */
function shrink(page: Page, name: '$limit' | '$skip', count: number): void {
  if (name === '$limit') page.limit = Math.min(page.limit ?? count, count)
  else {
    page.skip += count
    if (page.limit !== undefined) page.limit = Math.max(page.limit - count, 0)
  }
}

function readCount(name: string, argument: unknown): number {
  const least = name === '$limit' ? 1 : 0
  if (!Number.isSafeInteger(argument) || (argument as number) < least) {
    throw invalid(`${name} must be a whole number, ${least} or more.`)
  }
  return argument as number
}

/** The rows of a pipeline as objects on the wire. */
export function readResults({ columns, rest }: Scope, rows: Record<string, unknown>[]): WireFields[] {
  return rows.map((row) => {
    const object: WireFields = {}
    // Defined, not assigned: a computed field may be called __proto__.
    const put = (name: string, value: WireValue) =>
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
    for (const [name, value] of Object.entries((rest && (row[rest.column ?? ''] as WireFields)) ?? {})) put(name, value)
    for (const [name, value] of columns) {
      const stored = row[value.column ?? '']
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
