import type { Database } from '../../db/Database.ts'
import { cutContent } from './cutContent.ts'
import type { FileStore } from './FileStore.ts'

const chunkSize = 256 * 1024

/**
 * Files in PostgreSQL, in chunks. Each is a statement of its own, with no transaction around them: an upload takes as
 * long as its client likes, and the embedded database has one connection for everybody.
 */
export function createDatabaseStore(db: Database): FileStore {
  return {
    async write(name, content) {
      let place = 0
      for await (const chunk of cutContent(content, chunkSize)) {
        await db.query({
          text: 'insert into countersign.file_chunks (name, place, content) values ($1, $2, $3)',
          values: [name, place++, chunk],
        })
      }
    },
    async *read(name, { start, end }) {
      for (let place = Math.floor(start / chunkSize); place * chunkSize <= end; place++) {
        const [row] = await db.query<{ content: Buffer }>({
          text: 'select content from countersign.file_chunks where name = $1 and place = $2',
          values: [name, place],
        })
        if (!row) throw new Error(`The file ${name} lacks its chunk ${place}.`)
        const before = place * chunkSize
        yield row.content.subarray(Math.max(0, start - before), Math.min(chunkSize, end - before + 1))
      }
    },
    async remove(name) {
      await db.query({ text: 'delete from countersign.file_chunks where name = $1', values: [name] })
    },
  }
}
