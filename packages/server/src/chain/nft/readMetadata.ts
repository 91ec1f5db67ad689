import { CountersignError } from '@countersign/protocol'
import type { NftSettings } from '../../config/nftSettings.ts'
import type { Context } from '../../context/Context.ts'
import { parseJson } from '../../encoding/parseJson.ts'
import { plainText } from '../reads/abi.ts'
import { readDataUri, resolveUri } from './fetchDocument.ts'
import { fetchInTurn } from './getFetcher.ts'

export type Metadata = Record<string, unknown>

/** JSON under the names that hosts give it. Pictures, pages and films are none. */
const isText = (type: string) =>
  /^(application\/([a-z0-9.-]+\+)?json|text\/(plain|json)|application\/octet-stream|binary\/octet-stream|)$/.test(type)

const deepest = 24

/** Metadata at a token's URI. Throws an error that explains what is wrong. */
export async function readMetadata(context: Context, uri: string, asker: string): Promise<Metadata> {
  const text = await readText(context, uri.trim(), asker)
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof CountersignError) throw new Error('The document has too many values, or is nested too deeply.')
    throw new Error('The document is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('The document is not a JSON object.')
  }
  return clean(value, 0) as Metadata
}

async function readText(context: Context, uri: string, asker: string): Promise<string> {
  const settings = context.config.nft
  if (uri.startsWith('{')) return bounded(settings, uri)
  const data = readDataUri(uri)
  if (data) {
    if (!isText(data.type)) throw new Error(`The document is of the type ${data.type.slice(0, 60)}.`)
    return bounded(settings, data.bytes.toString('utf8'))
  }
  const place = resolveUri(settings, uri)
  if (!place) throw new Error('The URI of the token is not supported.')
  if (!settings.fetch) throw new Error('This server doesn’t fetch metadata (nft.fetch is off).')
  const how = { asker, kind: 'metadata', accepts: isText, maxSize: settings.maxSize } as const
  const { bytes } = await fetchInTurn(context, place, how)
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

function bounded({ maxSize }: NftSettings, text: string): string {
  if (text.length > maxSize) throw new Error(`The document is larger than ${maxSize} bytes.`)
  return text
}

/** Removes zero bytes and halves of characters, which the database rejects, and limits the nesting. */
function clean(value: unknown, depth: number): unknown {
  if (depth > deepest) throw new Error('The document is nested too deeply.')
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), clean(item, depth + 1)]))
}

const cleanText = (text: string) => Buffer.from(text.replaceAll('\0', '')).toString()

export type Attribute = {
  trait_type: string | null
  value: string | number | boolean | null
  display_type: string | null
  max_value: number | null
}

export type NormalizedMetadata = {
  name: string | null
  description: string | null
  /** An address that a page can show: https, or data: as the token has it. Content of IPFS through the gateway. */
  image: string | null
  external_link: string | null
  animation_url: string | null
  attributes: Attribute[]
}

const mostAttributes = 200

/** Normalizes the many names of metadata fields. Missing values are null. */
export function normalizeMetadata(settings: NftSettings, metadata: Metadata): NormalizedMetadata {
  return {
    name: plainText(textOf(metadata.name) ?? '') ?? null,
    description: textOf(metadata.description),
    image: linkOf(settings, findImage(metadata)),
    external_link: linkOf(settings, metadata.external_url ?? metadata.external_link),
    animation_url: linkOf(settings, metadata.animation_url),
    attributes: attributesOf(metadata.attributes ?? metadata.traits ?? metadata.properties),
  }
}

/** Returns the picture's field, unchanged. */
export function findImage(metadata: Metadata): unknown {
  return metadata.image ?? metadata.image_url ?? metadata.imageUrl ?? imageData(metadata.image_data)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}

/** Nothing but pictures and pages: a link such as javascript: must not reach an application that shows it. */
function linkOf(settings: NftSettings, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (/^data:(image|video|audio)\//i.test(value)) return value
  return resolveUri(settings, value)?.url ?? null
}

function imageData(value: unknown): string | undefined {
  return typeof value === 'string' && value.trimStart().startsWith('<svg')
    ? `data:image/svg+xml;base64,${Buffer.from(value).toString('base64')}`
    : undefined
}

function attributesOf(value: unknown): Attribute[] {
  if (Array.isArray(value)) return value.slice(0, mostAttributes).flatMap(readAttribute)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .slice(0, mostAttributes)
    .flatMap(([name, item]) => {
      const held = typeof item === 'object' && item !== null && 'value' in item ? item.value : item
      return isPlain(held) ? [{ trait_type: name, value: held, display_type: null, max_value: null }] : []
    })
}

function readAttribute(item: unknown): Attribute[] {
  if (isPlain(item)) return [{ trait_type: null, value: item, display_type: null, max_value: null }]
  if (typeof item !== 'object' || item === null) return []
  const { trait_type, value, display_type, max_value } = item as Record<string, unknown>
  if (!isPlain(value)) return []
  return [
    {
      trait_type: textOf(trait_type),
      value,
      display_type: textOf(display_type),
      max_value: typeof max_value === 'number' ? max_value : null,
    },
  ]
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
