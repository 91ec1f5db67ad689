import type { Context } from '../context/Context.ts'

/** Where a namespace has wallets of the user but no primary one, the oldest becomes it. In a transaction that holds the user. */
export async function choosePrimary({ db }: Context, userId: string): Promise<void> {
  await db.query({
    text: `update countersign.wallets set is_primary = true where key in (
             select distinct on (namespace) key from countersign.wallets w
             where "user" = $1
               and not exists (select from countersign.wallets p where p."user" = $1 and p.namespace = w.namespace and p.is_primary)
             order by namespace, linked, key
           )`,
    values: [userId],
  })
}

/** Makes a wallet the primary one of its namespace. In a transaction that holds the user. */
export async function setPrimary({ db }: Context, userId: string, objectId: string): Promise<void> {
  // Two statements: the index that allows one primary only is checked row by row.
  await db.query({
    text: `update countersign.wallets set is_primary = false
           where "user" = $1 and is_primary and "objectId" <> $2
             and namespace = (select namespace from countersign.wallets where "objectId" = $2)`,
    values: [userId, objectId],
  })
  await db.query({
    text: 'update countersign.wallets set is_primary = true where "user" = $1 and "objectId" = $2',
    values: [userId, objectId],
  })
}
