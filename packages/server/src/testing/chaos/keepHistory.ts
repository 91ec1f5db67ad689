import { Client } from 'pg'
import type { Cell, Change } from './Chaos.ts'

export type History = { list(): Promise<Change[]>; cells(): Promise<Cell[]> }

/**
 * The true history, written by the table's own trigger, separate from the tested log: each change in its transaction.
 * Writers lock rows, so the numbers of each document are in order.
 */
export async function keepHistory(databaseUrl: string): Promise<History> {
  await ask(databaseUrl, `create table chaos_history (id bigserial primary key, before jsonb, after jsonb)`)
  await ask(
    databaseUrl,
    `create function chaos_note() returns trigger language plpgsql as $$
     begin
       insert into chaos_history (before, after) values (to_jsonb(old), to_jsonb(new));
       return null;
     end $$`,
  )
  await ask(
    databaseUrl,
    'create trigger chaos_note after insert or update or delete on "Cell" for each row execute function chaos_note()',
  )
  return {
    list: () => ask<Change>(databaseUrl, 'select id::int, before, after from chaos_history order by chaos_history.id'),
    cells: () => ask<Cell>(databaseUrl, 'select * from "Cell"'),
  }
}

async function ask<Row>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}
