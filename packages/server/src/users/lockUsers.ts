import type { Context } from '../context/Context.ts'

/**
 * Holds users until the transaction ends, so that two changes of their ways in happen one after another.
 * Always in the order of their ids: two transactions that want the same ones cannot wait for each other.
 */
export async function lockUsers({ db }: Context, userIds: string[]): Promise<number> {
  const rows = await db.query({
    text: 'select "objectId" from "_User" where "objectId" = any($1) order by "objectId" for update',
    values: [userIds],
  })
  return rows.length
}
