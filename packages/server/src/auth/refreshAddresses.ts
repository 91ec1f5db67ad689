import type { Context } from '../context/Context.ts'

/**
 * D6: the addresses in a user's record are derived from proven wallets, in the transaction that changes those. They name
 * no chain, so those of contracts are not among them: the same one may be somebody else's on another chain.
 */
export async function refreshAddresses({ db, sessionCache, clock }: Context, userId: string): Promise<void> {
  await db.query({
    text: `update "_User" u set
             "accounts" = evm.list, "ethAddress" = evm.list ->> 0, "solAccounts" = sol.list, "solAddress" = sol.list ->> 0, "updatedAt" = $2
           from (select jsonb_agg(address order by is_primary desc, linked, key) as list from countersign.wallets where "user" = $1 and namespace = 'eip155' and chain_id is null) evm,
                (select jsonb_agg(address order by is_primary desc, linked, key) as list from countersign.wallets where "user" = $1 and namespace = 'solana') sol
           where u."objectId" = $1`,
    values: [userId, clock.now()],
  })
  db.afterCommit(() => sessionCache.forgetUser(userId))
}
