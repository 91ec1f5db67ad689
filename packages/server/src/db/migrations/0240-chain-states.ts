import type { Migration } from '../migrate.ts'

export const chainStates: Migration = {
  name: '0240 chain states',
  sql: `
    -- Documents that code of the application keeps from events of contracts.
    create table countersign.chain_states (
      name text primary key,
      chain bigint not null,
      events text[] not null,
      classes text[] not null,
      version bigint not null,
      -- Events up to this block have been handled.
      block bigint not null default -1,
      -- What blocks above this one did can be undone.
      undoable bigint not null default -1,
      -- Its documents go first, and all events are handled again.
      cleared boolean not null default false,
      error text,
      -- Not before this time, after an error.
      due timestamptz(3),
      failures int not null default 0
    );

    -- Documents as they were before a block that may be taken back.
    create table countersign.chain_state_undo (
      state text not null references countersign.chain_states (name) on delete cascade,
      block bigint not null,
      "className" text not null,
      "objectId" text collate "C" not null,
      -- Null where there was none.
      before jsonb,
      primary key (state, block, "className", "objectId")
    );
  `,
}
