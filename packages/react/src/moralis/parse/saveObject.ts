import type { Attributes, Loose } from '../Loose.ts'
import type { SaveOptions } from './MoralisObject.ts'
import { mergeChange } from './mergeChange.ts'
import { saveChildren } from './saveChildren.ts'
import { unwrapValue } from './unwrapValue.ts'

type Changed = {
  readonly attributes: Attributes
  readonly _changes: Map<string, readonly Loose[]>
  _send(fields: Attributes): Promise<object>
  _read(document: object): unknown
}

/** Sends what was changed; `base` is what the server had before. */
export async function saveObject<Saved extends Changed>(
  object: Saved,
  base: Attributes,
  options: SaveOptions = {},
): Promise<Saved> {
  if (options.cascadeSave !== false) await saveChildren(object.attributes)
  const sent = new Map(object._changes)
  const merged = Array.from(sent, ([name, all]) => [
    name,
    all.reduce((before, next) => mergeChange(base[name], before, next), undefined),
  ])
  const document = await object._send(unwrapValue(Object.fromEntries(merged)) as Attributes)
  // What was changed meanwhile stays to be sent.
  for (const [name, all] of sent) {
    const now = object._changes.get(name) ?? []
    const left = all.every((change, at) => change === now[at]) ? now.slice(all.length) : now
    if (left.length > 0) object._changes.set(name, left)
    else object._changes.delete(name)
  }
  object._read(document)
  return object
}
