import type { WireFields, WireValue } from '@countersign/protocol'
import { sameValue } from '../../classes/sameValue.ts'
import type { ParseObject, ParseSdk } from './ParseSdk.ts'

/** An object of the wire as one of the client, with nothing to save. */
export function toParse(parse: ParseSdk, className: string, fields: WireFields): ParseObject {
  return parse.Object.fromJSON({ ...fields, className })
}

/** An object that is about to be saved: what differs from the original is what is to be saved. */
export function toDirtyParse(
  parse: ParseSdk,
  className: string,
  fields: WireFields,
  original: WireFields | undefined,
): ParseObject {
  const object = original ? toParse(parse, className, original) : parse.Object.fromJSON({ className })
  for (const [name, value] of Object.entries(fields)) {
    const before = original?.[name]
    if (isFixed(name) || (before !== undefined && sameValue(before, value))) continue
    if (name === 'ACL') object.setACL(new parse.ACL(value))
    else object.set(name, parse._decode(null, value), { ignoreValidation: true })
  }
  for (const name of Object.keys(original ?? {})) {
    if (!isFixed(name) && !Object.hasOwn(fields, name)) object.unset(name)
  }
  return object
}

function isFixed(name: string): boolean {
  return name === 'objectId' || name === 'createdAt' || name === 'updatedAt' || name === 'sessionToken'
}

/** What code did to an object, by what it would have saved before and after: fields, and operations on them. */
export function readChanges(before: WireFields, object: ParseObject, original: WireFields | undefined): WireFields {
  const after = plain(object._getSaveJSON())
  const changes: WireFields = {}
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name) || !sameValue(before[name] as WireValue, value)) changes[name] = value
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) changes[name] = original?.[name] ?? { __op: 'Delete' }
  }
  return changes
}

/** As JSON carries it, cut loose from what code holds. */
export function plain(value: unknown): WireFields {
  return JSON.parse(JSON.stringify(value)) as WireFields
}

/** An object of the client as a result of a query is on the wire. */
export function fromParse(object: unknown): WireFields {
  const whole = isParseObject(object) ? object._toFullJSON([]) : object
  const { __type: _type, className: _name, ...fields } = plain(whole)
  return fields
}

export function isParseObject(value: unknown): value is ParseObject {
  return value !== null && typeof value === 'object' && typeof Reflect.get(value, '_toFullJSON') === 'function'
}
