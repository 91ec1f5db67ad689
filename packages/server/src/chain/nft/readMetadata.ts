import type { NftSettings } from '../../config/nftSettings.ts'
import type { Context } from '../../context/Context.ts'
import { fetchInTurn } from './getFetcher.ts'
import { readDataUri } from './readDataUri.ts'
import { resolveUri } from './resolveUri.ts'

export type Metadata = Record<string, unknown>

/** JSON under the names that hosts give it. Pictures, pages and films are none. */
const isText = (type: string) =>
  /^(application\/([a-z0-9.-]+\+)?json|text\/(plain|json)|application\/octet-stream|binary\/octet-stream|)$/.test(type)

const deepest = 24

/** The metadata that a token's URI leads to. Throws an error whose text says what was wrong with it. */
export async function readMetadata(context: Context, uri: string, asker: string): Promise<Metadata> {
  const text = await readText(context, uri.trim(), asker)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('The document is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('The document is JSON, but no object.')
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
  if (!place) throw new Error('The URI of the token is none that can be read.')
  if (!settings.fetch) throw new Error('This server fetches no metadata (nft.fetch).')
  const how = { asker, kind: 'metadata', accepts: isText, maxSize: settings.maxSize } as const
  const { bytes } = await fetchInTurn(context, place, how)
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

function bounded({ maxSize }: NftSettings, text: string): string {
  if (text.length > maxSize) throw new Error(`The document is larger than ${maxSize} bytes.`)
  return text
}

/** The database keeps no zero bytes and no halves of characters, and nobody reads what is nested without end. */
function clean(value: unknown, depth: number): unknown {
  if (depth > deepest) throw new Error('The document is nested too deeply.')
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), clean(item, depth + 1)]))
}

const cleanText = (text: string) => Buffer.from(text.replaceAll('\0', '')).toString()
