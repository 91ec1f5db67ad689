import type { Migration } from '../migrate.ts'

export const missingLists: Migration = {
  name: '0378 missing lists',
  sql: `
    -- Volatile: the planner would raise the error for every object otherwise.
    create function countersign.missing_list() returns jsonb language plpgsql volatile as $$
    begin
      raise exception 'The list does not exist yet. Set the whole field first.' using errcode = 'CS119';
    end $$;
  `,
}
