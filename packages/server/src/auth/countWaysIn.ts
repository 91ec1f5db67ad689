import type { Context } from '../context/Context.ts'

/** How many ways in an account has: its password, its wallets, its passkeys. */
export async function countWaysIn({ db }: Context, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `select ((select count(*) from countersign.wallets where "user" = $1)
                 + (select count(*) from countersign.passkeys where "user" = $1)
                 + (select count("_password_hash") from "_User" where "objectId" = $1))::int as count`,
    values: [userId],
  })
  return row?.count ?? 0
}
