import type { Migration } from '../migrate.ts'

export const endedGrants: Migration = {
  name: '0640 ended grants',
  sql: `
    -- Tokens that were stored while their grant was being deleted: the statement that deletes it does not see them.
    create function countersign.end_grant() returns trigger language plpgsql as $$
    begin
      delete from countersign.oidc_records
      where grant_id = old.id and model in ('AccessToken', 'AuthorizationCode', 'DeviceCode', 'RefreshToken');
      return null;
    end $$;
    create trigger countersign_end_grant after delete on countersign.oidc_records
      for each row when (old.model = 'Grant') execute function countersign.end_grant();
  `,
}
