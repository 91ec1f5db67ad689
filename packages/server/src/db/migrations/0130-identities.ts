import type { Migration } from '../migrate.ts'

export const identities: Migration = {
  name: '0130 identities',
  sql: `
    -- Who a user is to a provider of the setting auth. One identity is one user's. What an import brought came first.
    alter table countersign.imported_identities rename to identities;
    alter index countersign.imported_identities_pkey rename to identities_pkey;
    alter index countersign.imported_identities_user rename to identities_user;
    -- What the provider's adapter keeps of it, sealed: it may hold tokens.
    alter table countersign.identities add column data bytea;
    -- Null while nobody has proven an imported one here.
    alter table countersign.identities add column linked timestamptz(3);
    alter table countersign.identities add column last_used timestamptz(3);
  `,
}
