import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, serialize } from 'bson'

/** Writes collections as `mongodump` does: BSON documents one behind the other, and the indexes beside them. */
export async function writeMongoDump(
  folder: string,
  collections: { [name: string]: Document[] },
  indexes: { [name: string]: object[] } = {},
): Promise<string> {
  const database = join(folder, 'app')
  await mkdir(database, { recursive: true })
  for (const [name, documents] of Object.entries(collections)) {
    const file = encodeURIComponent(name)
    await writeFile(join(database, `${file}.bson`), Buffer.concat(documents.map((document) => serialize(document))))
    const metadata = { indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...(indexes[name] ?? [])] }
    await writeFile(join(database, `${file}.metadata.json`), JSON.stringify(metadata))
  }
  return folder
}
