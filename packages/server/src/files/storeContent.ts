import { createHash, randomBytes } from 'node:crypto'
import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import type { StoredFile } from './StoredFile.ts'
import { chooseStore, getStore } from './stores/getStore.ts'

export type NewContent = {
  /** Whatever is to stand behind the random part of the name. */
  name: string
  type: string
  owner?: string | undefined
  /** Of a preview: what it was made of, and how large it is. */
  preview?: { original: string; edge: number } | undefined
  maxSize: number
  content: AsyncIterable<Buffer>
  /** Runs in the transaction that marks the content whole. */
  keep?: (() => Promise<void>) | undefined
}

/**
 * Takes a content in. Its row is there before the content is and marked whole after it: what a crash leaves behind is
 * never served, and is found and swept away. `settle` runs in between; what it throws undoes all of it.
 */
export async function storeContent(
  context: Context,
  { name: suffix, type, owner, preview, maxSize, content, keep }: NewContent,
  settle: (file: StoredFile) => Promise<Pick<StoredFile, 'metadata' | 'tags'> & { ipfs?: string | undefined }>,
): Promise<StoredFile> {
  const { db, clock } = context
  const name = `${randomBytes(16).toString('hex')}_${suffix}`
  const storeName = chooseStore(context)
  const store = getStore(context, storeName)
  await db.query(sql`
    insert into countersign.files (name, type, owner, store, created, original, edge)
    values (${name}, ${type}, ${owner ?? null}, ${storeName}, ${clock.now()},
      ${preview?.original ?? null}, ${preview?.edge ?? null})`)
  try {
    const hash = createHash('sha256')
    let size = 0
    await store.write(name, count())
    const digest = hash.digest()
    const file: StoredFile = {
      name,
      type,
      size,
      digest: digest.toString('hex'),
      metadata: {},
      tags: {},
      store: storeName,
    }
    const { metadata, tags, ipfs } = await settle(file)
    const markWhole = () =>
      db.query(sql`
        update countersign.files set size = ${size}, digest = ${digest}, metadata = ${JSON.stringify(metadata)},
          tags = ${JSON.stringify(tags)}, ipfs = ${ipfs ?? null}
        where name = ${name}`)
    if (keep) await db.transaction(() => markWhole().then(keep))
    else await markWhole()
    return { ...file, metadata, tags }

    async function* count(): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        size += chunk.length
        if (size > maxSize) throw tooLarge(maxSize)
        hash.update(chunk)
        yield chunk
      }
    }
  } catch (error) {
    await store
      .remove(name)
      .catch((cause) => context.log.warn({ err: cause }, 'an unfinished upload could not be removed'))
    await db.query(sql`delete from countersign.files where name = ${name}`)
    throw error
  }
}

export function tooLarge(maxSize: number): CountersignError {
  return new CountersignError('FileTooLarge', `The file is too large: the maximum is ${maxSize} bytes.`, {
    status: 413,
  })
}
