import type { TestServer } from '../createTestServer.ts'
import { isSpread } from '../openTestDatabase.ts'

export const master = { master: true }

export const every = (right: object) =>
  Object.fromEntries(['find', 'count', 'get', 'create', 'update', 'delete', 'addField'].map((key) => [key, right]))

/** Requests about the schema of the class that a test is about, with the master key. */
export function createSchemaCalls(serverOf: () => TestServer, nameOf: () => string) {
  const post = (body: object, path = `/schemas/${nameOf()}`) => serverOf().call('POST', path, body, master)
  const put = (body: object) => serverOf().call('PUT', `/schemas/${nameOf()}`, body, master)
  const get = () => serverOf().call('GET', `/schemas/${nameOf()}`, undefined, master)
  const drop = (className = nameOf()) => serverOf().call('DELETE', `/schemas/${className}`, undefined, master)
  const sql = (text: string) => serverOf().context.db.query({ text })
  const insert = (objectId: string, columns = '', values = '') =>
    sql(
      `insert into ${isSpread ? 'countersign_shards' : 'public'}."${nameOf()}" ("objectId", "createdAt", "updatedAt"${columns}) values ('${objectId}', now(), now()${values})`,
    )

  return { post, get, sql, drop, put, insert }
}
