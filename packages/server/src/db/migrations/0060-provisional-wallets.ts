import type { Migration } from '../migrate.ts'

/** Addresses in a user's record name no chain, so those of contracts leave it. */
export const keyPairsOnly = `
    update "_User" u set "accounts" = evm.list, "ethAddress" = evm.list ->> 0
    from (
      select "user", jsonb_agg(address order by is_primary desc, linked, key) filter (where chain_id is null) as list
      from countersign.wallets where namespace = 'eip155' group by "user" having bool_or(chain_id is not null)
    ) evm
    where u."objectId" = evm."user"`

export const provisionalWallets: Migration = {
  name: '0060 provisional wallets',
  sql: `
    -- A contract account that was not deployed when it was proven. Its key names the deployment, since an address may
    -- say nothing of who will own it. What was signed is kept, sealed, to see later whether the owner is the same.
    alter table countersign.wallets add column provisional boolean not null default false, add column proof bytea;
    alter table countersign.unlinked_wallets add column provisional boolean not null default false, add column proof bytea;
    create index wallets_provisional on countersign.wallets (chain_id, address) where provisional;
    ${keyPairsOnly};
  `,
}
