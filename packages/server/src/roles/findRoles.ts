import type { Context } from '../context/Context.ts'

/**
 * The names of the roles that a user holds: those that list the user, and those that list a role held. `union` drops
 * what was met before, so a circle of roles ends.
 */
export async function findRoles({ db }: Context, userId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    name: 'find-roles',
    text: `with recursive held as (
             select "owningId" as id from public."_Join:users:_Role" where "relatedId" = $1
             union
             select j."owningId" from held join public."_Join:roles:_Role" j on j."relatedId" = held.id
           )
           select r."name" from held join public."_Role" r on r."objectId" = held.id`,
    values: [userId],
  })
  return rows.map((row) => row.name)
}
