import { createHash } from 'node:crypto'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { chooseType } from '../files/chooseType.ts'
import { findFile } from '../files/StoredFile.ts'
import { judgeContent, judgedLength, peekContent } from '../files/saveFile.ts'
import { chooseStore, getStore } from '../files/stores/getStore.ts'
import type { ImportedRow } from './encodeRow.ts'
import { type Source, TransferError } from './Source.ts'

/** Handling of files: copied to this server's store, or left at their place. */
export type FilePlan = {
  mode: 'copy' | 'keep'
  /** Base URL of files whose documents have a name only, such as https://files.example.org/ */
  base?: string | undefined
}

/** `name` is what it is called here, `origin` what the source calls it. */
export type NamedFile = { name: string; origin: string; url: string | null }

export type FetchedFiles = { fetched: number; present: number; missing: number }

type Tree = { [key: string]: unknown }

const storedName = /^[0-9a-f]{32}_[\w@. ~-]{1,128}$/
const atOnce = 4

/** The files that rows name, at any depth. Names in the rows become those that the files will have here. */
export function planFiles(plan: FilePlan, rows: ImportedRow[], schema: ClassSchema): NamedFile[] {
  const holders = [...schema.fields].filter(([, { type }]) => type === 'File' || type === 'Array' || type === 'Object')
  if (holders.length === 0) return []
  const found = new Map<string, NamedFile>()
  for (const row of rows) {
    for (const [field] of holders) {
      if (typeof row[field] === 'object' && row[field] !== null) row[field] = visit(row[field])
    }
  }
  return [...found.values()]

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const tree = value as Tree
    if (tree.__type === 'File' && typeof tree.name === 'string') return place(tree, tree.name)
    return Object.fromEntries(Object.entries(tree).map(([key, inner]) => [key, visit(inner)]))
  }

  function place(file: Tree, origin: string): Tree {
    const url = typeof file.url === 'string' ? file.url : plan.base ? `${plan.base}${encodeURIComponent(origin)}` : null
    // A name of our own form would be given our own address.
    if (plan.mode === 'keep') {
      const name = storedName.test(origin) ? `elsewhere_${origin}` : origin
      return { __type: 'File', name, ...(url !== null && { url }) }
    }
    const name = storedName.test(origin) ? origin : nameOf(origin)
    found.set(name, { name, origin, url })
    return { __type: 'File', name }
  }
}

/** The same name at every run: an import that is repeated finds the file. */
function nameOf(origin: string): string {
  const plain = origin
    .replaceAll(/[^\w@. ~-]/g, '_')
    .replace(/^[^\w]+/, '')
    .replace(/[. ]+$/, '')
    .slice(-100)
  return `${createHash('sha256').update(origin).digest('hex').slice(0, 32)}_${plain || 'file'}`
}

/** Brings the content of every named file over. What could not be had is tried again at the next run. */
export async function fetchFiles(
  context: Pick<Context, 'db' | 'config'>,
  source: Source,
  plan: FilePlan,
): Promise<FetchedFiles> {
  const counts: FetchedFiles = { fetched: 0, present: 0, missing: 0 }
  if (plan.mode === 'keep') return counts
  for (let last = ''; ; ) {
    const files = await context.db.query<NamedFile>(
      sql`
        select name, origin, url from countersign.import_files
        where source = ${source.identity} and name > ${last}
        order by name
        limit 200`,
    )
    if (files.length === 0) return counts
    const queue = [...files]
    const worker = async () => {
      for (let file = queue.shift(); file; file = queue.shift()) counts[await fetchOne(context, source, file)]++
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    last = files.at(-1)?.name ?? ''
  }
}

async function fetchOne(
  context: Pick<Context, 'db' | 'config'>,
  source: Source,
  { name, origin, url }: NamedFile,
): Promise<keyof FetchedFiles> {
  const { db } = context
  const done = () =>
    db.query(sql`delete from countersign.import_files where source = ${source.identity} and name = ${name}`)
  if (await findFile(context, name)) {
    await done()
    return 'present'
  }
  const file = await source.openFile(origin, url ?? undefined)
  if (!file) return 'missing'
  const storeName = chooseStore(context)
  const store = getStore(context, storeName)
  const hash = createHash('sha256')
  let size = 0
  try {
    const { beginning, content } = await peekContent(file.content, judgedLength)
    // Judged by what is in it, as an upload is.
    const { type } = chooseType(context.config.fileUpload, true, { name, type: undefined }, judgeContent(beginning))
    await db.query(
      sql`
        insert into countersign.files (name, type, store, created) values (${name}, ${type}, ${storeName}, now())
        on conflict (name) do update set type = excluded.type, store = excluded.store, created = excluded.created`,
    )
    // Leftovers of a killed run.
    await store.remove(name)
    await store.write(name, counted(content))
  } catch (error) {
    if (!(error instanceof TransferError)) throw error
    // An incomplete file is not kept: it is counted, and retried at the next run.
    await store.remove(name)
    await db.query(sql`delete from countersign.files where name = ${name} and digest is null`)
    return 'missing'
  }
  await db.query(sql`update countersign.files set size = ${size}, digest = ${hash.digest()} where name = ${name}`)
  await done()
  return 'fetched'

  async function* counted(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      size += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
}
