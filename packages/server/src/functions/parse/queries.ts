import type { WireFields, WireValue } from '@countersign/protocol'
import { sameValue } from '../../classes/sameValue.ts'
import { plain } from './objects.ts'
import type { ParseQuery, ParseSdk } from './ParseSdk.ts'

const lists = ['include', 'keys', 'excludeKeys', 'order']

/** A query of the wire as one of the client. */
export function toParseQuery(parse: ParseSdk, className: string, query: WireFields): ParseQuery {
  const json = { ...query }
  for (const name of lists) if (Array.isArray(json[name])) json[name] = (json[name] as WireValue[]).join()
  return new parse.Query(className).withJSON(json)
}

/** The query with what code has changed of it. What the client's form cannot hold stays as it was asked. */
export function readQueryChanges(query: WireFields, before: WireFields, changed: ParseQuery): WireFields {
  const after = plain(changed.toJSON())
  const result: WireFields = { ...query }
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name) || !sameValue(before[name] as WireValue, value)) result[name] = value
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) delete result[name]
  return result
}
