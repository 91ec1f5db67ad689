import type { Context } from '../context/Context.ts'
import type { StoredFile } from './StoredFile.ts'

/** A file that has come in as a whole. */
export async function findFile({ db }: Pick<Context, 'db'>, name: string): Promise<StoredFile | undefined> {
  // No stored name has it, and the database takes it for an error.
  if (name.includes('\0')) return undefined
  const [file] = await db.query<StoredFile>({
    name: 'find-file',
    text: `select name, type, size::float8 as size, encode(digest, 'hex') as digest, metadata, tags, store
           from countersign.files where name = $1 and digest is not null`,
    values: [name],
  })
  return file
}
