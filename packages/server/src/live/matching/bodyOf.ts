import type { WireFields } from '@countersign/protocol'
import { projectObject } from '../../objects/projectObject.ts'
import { stripHidden } from '../../permissions/hiddenFields.ts'
import type { Body } from './Happening.ts'
import type { Told } from './judge.ts'
import type { Group, Rights } from './Matching.ts'

/** What is told as text, without what the group may not see or did not ask for: written once for all who see the same. */
export function bodyOf({ rights, keys, keysKey }: Group, { happening, object, original }: Told): Body {
  const { bodies, after } = happening
  const which = object === after ? 'a' : 'b'
  const seen = view(rights, object)
  const seenBefore = original && view(rights, original)
  const key = `${which}${original ? 'o' : ''} ${keysKey} ${seen.key} ${seenBefore?.key ?? ''}`
  const known = bodies.get(key)
  if (known) return known
  const write = (shown: WireFields) =>
    JSON.stringify({ className: rights.schema.className, ...projectObject(shown, keys, undefined) })
  const text = `,"object":${write(seen.open())}${seenBefore ? `,"original":${write(seenBefore.open())}` : ''}}`
  const body: Body = { plain: Buffer.from(text), positioned: undefined }
  bodies.set(key, body)
  return body
}

/** The same with the place of the change, for clients that remember it. */
export function positionedBody(body: Body, { happening }: Told): Buffer {
  body.positioned ??= Buffer.concat([
    body.plain.subarray(0, -1),
    Buffer.from(`,"position":${JSON.stringify(happening.position())}}`),
  ])
  return body.positioned
}

type View = { key: string; open: () => WireFields }

/** What of an object is open to the group, and a name that is the same where the same is hidden. */
function view({ schema, access, hidden, hiddenKey }: Rights, object: WireFields): View {
  if (hiddenKey !== undefined) {
    return { key: hiddenKey, open: () => (hiddenKey === '' ? object : stripHidden(hidden, schema, access, object)) }
  }
  const open = stripHidden(hidden, schema, access, object)
  const missing = open === object ? [] : Object.keys(object).filter((name) => !Object.hasOwn(open, name))
  return { key: missing.join(), open: () => open }
}
