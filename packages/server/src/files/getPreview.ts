import { CountersignError } from '@countersign/protocol'
import type { SharpConstructor } from 'sharp'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { createLimiter } from '../work/createLimiter.ts'
import { findFile, type StoredFile } from './StoredFile.ts'
import { storeContent } from './storeContent.ts'
import { getStore } from './stores/getStore.ts'

/** The readers of the five types that previews are made of. All others stay shut: each is attack surface for a crafted file. */
const readers = ['Png', 'Jpeg', 'Gif', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`)

let loaded: Promise<SharpConstructor> | undefined

/** Runs work while few others run: pictures take memory and a whole core each. */
const takeTurn = createLimiter(2, {
  longest: 50,
  refuse() {
    throw new CountersignError('RequestLimitExceeded', 'Too many previews are being created. Try again in a moment.', {
      rateLimit: { retryAfter: 2 },
    })
  },
})

const sources = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

const largestSource = 32 * 1024 * 1024

/** Previews that are being made, so that a page full of the same picture makes one. */
const making = new Map<string, Promise<StoredFile>>()

/** The preview of an image with the next edge up from the wanted one; made once and kept. Other files are their own. */
export async function getPreview(context: Context, file: StoredFile, wanted: number): Promise<StoredFile> {
  const { previewSizes } = context.config.files
  if (!sources.has(file.type) || file.size > largestSource || previewSizes.length === 0) return file
  const sizes = [...previewSizes].sort((one, other) => one - other)
  const edge = sizes.find((size) => size >= wanted) ?? (sizes.at(-1) as number)
  const key = `${file.name} ${edge}`
  const underWay = making.get(key)
  if (underWay) return underWay
  const made = findPreview(context, file, edge).then((found) => found ?? makePreview(context, file, edge))
  making.set(key, made)
  return made.finally(() => making.delete(key))
}

async function findPreview(context: Context, { name }: StoredFile, edge: number): Promise<StoredFile | undefined> {
  const [found] = await context.db.query<{ name: string }>(sql.named('find-preview')`
    select name from countersign.files where original = ${name} and edge = ${edge} and digest is not null limit 1`)
  return found && findFile(context, found.name)
}

function makePreview(context: Context, file: StoredFile, edge: number): Promise<StoredFile> {
  return takeTurn(async () => {
    const chunks: Uint8Array[] = []
    const content = getStore(context, file.store).read(file.name, { start: 0, end: file.size - 1 })
    for await (const chunk of content) chunks.push(chunk)
    const picture = await renderPreview(Buffer.concat(chunks), edge, context.config.files.previewPixels)
    return storeContent(
      context,
      {
        name: `${edge}.webp`,
        type: 'image/webp',
        preview: { original: file.name, edge },
        maxSize: largestSource,
        content: once(picture),
      },
      async () => ({ metadata: {}, tags: {} }),
    )
  })
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** Renders a smaller, upright picture without camera metadata. One that would fill the memory is rejected. */
async function renderPreview(source: Buffer, edge: number, pixels: number): Promise<Buffer> {
  const sharp = await load()
  try {
    return await sharp(source, { limitInputPixels: pixels, failOn: 'error' })
      .autoOrient()
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 20 })
      .toBuffer()
  } catch (cause) {
    throw new CountersignError('InvalidImageData', 'A preview of this image can’t be created.', { cause })
  }
}

/** Loaded on use: most servers never need it, and it is 20 MB of machine code. */
function load(): Promise<SharpConstructor> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: readers })
    return sharp
  })
  return loaded
}
