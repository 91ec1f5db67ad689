import { type EndpointTypes, refuse } from '@countersign/protocol'
import { fileUrl } from '../classes/fileUrls.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

type Row = {
  name: string
  type: string
  size: number
  store: string
  ipfs: string | null
  created: Date
  owner: string | null
  username: string | null
}

/** Files that have come in as a whole, newest first. Previews are not among them: they belong to their image. */
async function listConsoleFiles(
  context: Context,
  { search = '', after, limit = '50' }: EndpointTypes['listConsoleFiles']['input'],
): Promise<EndpointTypes['listConsoleFiles']['output']> {
  const wanted = search.trim()
  const conditions = [sql`f.digest is not null and f.original is null`]
  if (wanted !== '') conditions.push(sql`(strpos(lower(f.name), ${wanted.toLowerCase()}) > 0 or f.owner = ${wanted})`)
  if (after !== undefined) {
    const cut = after.indexOf('_')
    const [time, name] = [after.slice(0, cut), after.slice(cut + 1)]
    if (Number.isNaN(Date.parse(time)))
      throw refuse('invalidInput', { field: 'after', problem: 'is not a cursor of this list' })
    conditions.push(sql`(f.created, f.name) < (${new Date(time)}::timestamptz, ${name}::text)`)
  }
  const most = Number(limit)
  const rows = await context.db.query<Row>(sql`
    select f.name, f.type, f.size::float8 as size, f.store, f.ipfs, f.created, f.owner, u.username
    from countersign.files f
    left join "_User" u on u."objectId" = f.owner
    where ${sql.join(conditions, ' and ')}
    order by f.created desc, f.name desc
    limit ${most + 1}`)
  const page = rows.slice(0, most)
  const last = page.at(-1)
  return {
    results: page.map(({ owner, username, ipfs, created, ...row }) => ({
      ...row,
      url: fileUrl(context, row.name),
      createdAt: created.toISOString(),
      ...(ipfs !== null && { ipfs }),
      ...(owner !== null && { owner: { objectId: owner, ...(username !== null && { username }) } }),
    })),
    ...(rows.length > most && last && { next: `${last.created.toISOString()}_${last.name}` }),
  }
}

export const listConsoleFilesEndpoint = defineEndpoint('listConsoleFiles', {
  handle: ({ context, input }) => listConsoleFiles(context, input),
})
