import type { Migration } from '../migrate.ts'

export const devices: Migration = {
  name: '0341 devices',
  sql: `
    -- Sessions that devices were registered in. A device gets no push once its session was ended; who signs out there
    -- themselves leaves no session behind, and the device goes on as a guest's.
    create table countersign.devices (
      device text primary key,
      "user" text not null,
      session text
    );
    create index devices_session on countersign.devices (session);
  `,
}
