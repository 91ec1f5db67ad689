import type { Migration } from '../migrate.ts'

export const walletReaders: Migration = {
  name: '0350 wallet readers',
  sql: `
    -- Access lists that were made of the wallets which an event names begin with an entry that nobody holds: they are
    -- not shown, since they tell which user a wallet belongs to.
    do $$
    declare sync record;
    begin
      perform set_config('countersign.quiet', 'on', true);
      for sync in
        select s."className" as class, '-' || left(encode(sha256(convert_to(s.id, 'UTF8')), 'hex'), 8) as ending
        from countersign.chain_syncs s
        where to_regclass(format('public.%I', s."className")) is not null
      loop
        execute format(
          'update public.%I set "_rperm" = array_prepend(''*wallets'', "_rperm")
           where "_rperm" is not null and right("objectId", 9) = $1 and "_rperm"[1] is distinct from ''*wallets''',
          sync.class) using sync.ending;
      end loop;
    end $$;
  `,
}
