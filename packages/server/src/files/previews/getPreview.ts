import type { Context } from '../../context/Context.ts'
import { findFile } from '../findFile.ts'
import type { StoredFile } from '../StoredFile.ts'
import { storeContent } from '../storeContent.ts'
import { getStore } from '../stores/getStore.ts'
import { renderPreview } from './renderPreview.ts'
import { takeTurn } from './takeTurn.ts'

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
  const [found] = await context.db.query<{ name: string }>({
    name: 'find-preview',
    text: 'select name from countersign.files where original = $1 and edge = $2 and digest is not null limit 1',
    values: [name, edge],
  })
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
