import { newObjectId } from '../classes/names.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { findOwnRows } from './importPolicy.ts'

/** `foreign`: wallets of accounts that this import did not make. */
export type SettledWallets = { linked: number; contested: number; taken: number; foreign: number }

/** Keys of one transaction. Each user that changes is a notification. */
const batch = 2_000

type Claim = {
  key: string
  user: string
  namespace: string
  address: string
  strength: number
  linked: Date
  owner: string | null
}

/**
 * Assigns the wallets of a dump to their users, once all are there. The operator vouches for the dump, not for its
 * users' entries: if two name the same wallet, the one with a signature that the older server verified gets it,
 * otherwise nobody. Wallets proven here stay, and no existing account gets any.
 */
export async function settleWallets(db: Database, source: string, provenOnly: boolean): Promise<SettledWallets> {
  const settled: SettledWallets = { linked: 0, contested: 0, taken: 0, foreign: 0 }
  for (let last = ''; ; ) {
    const keys = await db.query<{ key: string }>(sql`
      select distinct key from countersign.import_claims
      where source = ${source} and key > ${last}
      order by key
      limit ${batch}`)
    if (keys.length === 0) return settled
    const listed = keys.map(({ key }) => key)
    await db.transaction(async () => {
      await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
      const claims = await db.query<Claim>(
        sql`
          select c.key, c."user", c.namespace, c.address, c.strength, c.linked, w."user" as owner
          from countersign.import_claims c
          join "_User" u on u."objectId" = c."user"
            left join countersign.wallets w on w.key = c.key
          where c.source = ${source} and c.key = any(${listed}::text[]) and c.strength >= ${provenOnly ? 2 : 1}
          order by c.key, c.strength desc`,
      )
      const users = claims.map(({ user }) => user)
      const chosen = choose(claims, await findOwnRows(db, source, '_User', users), settled)
      await link(db, chosen)
      settled.linked += chosen.length
    })
    last = listed.at(-1) ?? ''
  }
}

function choose(claims: Claim[], own: ReadonlySet<string>, settled: SettledWallets): Claim[] {
  const byKey = new Map<string, Claim[]>()
  for (const claim of claims) byKey.set(claim.key, [...(byKey.get(claim.key) ?? []), claim])
  return [...byKey.values()].flatMap(([first, second]) => {
    if (!first) return []
    if (first.owner !== null) {
      if (first.owner === first.user) settled.linked++
      else settled.taken++
      return []
    }
    if (second?.strength === first.strength) {
      settled.contested++
      return []
    }
    // Left out here, and not given to the next in line: the dump itself says that it is another's.
    if (!own.has(first.user)) {
      settled.foreign++
      return []
    }
    return [first]
  })
}

async function link(db: Database, claims: Claim[]): Promise<void> {
  if (claims.length === 0) return
  const rows = claims.map(({ key, user, namespace, address, strength, linked }) => ({
    key,
    objectId: newObjectId(),
    user,
    namespace,
    address,
    strength,
    linked: linked.toISOString(),
  }))
  await db.query(sql`
    insert into countersign.wallets
      (key, "objectId", "user", namespace, kind, address, is_primary, linked, last_used, imported)
    select key, "objectId", "user", namespace, case namespace when 'solana' then 'solana' else 'eoa' end, address,
      row_number() over (partition by "user", namespace order by strength desc, key) = 1 and not exists (
        select from countersign.wallets w where w."user" = r."user" and w.namespace = r.namespace and w.is_primary),
      linked, linked, now()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (key text, "objectId" text, "user" text, namespace text, address text, strength smallint, linked timestamptz)
    on conflict (key) do nothing`)
  await db.query(sql`
    update "_User" u set
      "accounts" = w.evm, "ethAddress" = w.evm ->> 0, "solAccounts" = w.sol, "solAddress" = w.sol ->> 0
    from (
      select "user",
        jsonb_agg(address order by is_primary desc, linked, key)
          filter (where namespace = 'eip155' and chain_id is null) as evm,
        jsonb_agg(address order by is_primary desc, linked, key) filter (where namespace = 'solana') as sol
      from countersign.wallets
      where "user" = any(${[...new Set(claims.map(({ user }) => user))]}::text[])
      group by "user"
    ) w
    where u."objectId" = w."user"`)
}
