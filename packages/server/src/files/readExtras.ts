import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'

/** What comes along with a file. */
export type Extras = { metadata: WireFields; tags: WireFields; ipfs: boolean }

const largest = 16 * 1024

/** Metadata are any values by name; tags are texts by name. */
export function readExtras(given: { metadata?: WireValue; tags?: WireValue; ipfs?: WireValue }): Extras {
  const metadata = readObject('metadata', given.metadata)
  const tags = readObject('tags', given.tags)
  for (const [name, tag] of Object.entries(tags)) {
    if (typeof tag !== 'string')
      throw new CountersignError('FileSaveError', `The tag ${name.slice(0, 50)} must be a text.`)
  }
  return { metadata, tags, ipfs: given.ipfs === true }
}

function readObject(what: string, value: WireValue | undefined): WireFields {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new CountersignError('FileSaveError', `The ${what} of a file must be an object.`)
  }
  if (JSON.stringify(value).length > largest) {
    throw new CountersignError('FileSaveError', `The ${what} of a file may take ${largest} bytes at most.`)
  }
  return value as WireFields
}
