import type { Loose } from '../Loose.ts'

/** Saves what is not saved yet, so that it can be pointed to. An object that holds itself is met once. */
export async function saveChildren(values: object, seen: Set<unknown> = new Set()): Promise<void> {
  for (const value of Object.values(values) as Loose[]) {
    if (typeof value !== 'object' || value === null || value instanceof Date || seen.has(value)) continue
    seen.add(value)
    if (typeof value.toPointer === 'function') {
      if (!value.id) await saveObject(value, seen)
    } else if (typeof value.saveIPFS === 'function') {
      if (!value.url()) await value.save()
    } else if (isPlain(value)) await saveChildren(value, seen)
  }
}

async function saveObject(object: Loose, seen: Set<unknown>): Promise<void> {
  await saveChildren(object.attributes, seen)
  await object.save(null, { cascadeSave: false })
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
