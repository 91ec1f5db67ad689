import type { Migration } from '../migrate.ts'

export const boundedValues: Migration = {
  name: '0300 bounded values',
  sql: `
    -- Requests are bounded, and so is what they set. What operations add to a list or an object is bounded here, by
    -- the size that MongoDB allows a document: every reader holds all of it in memory.
    create function countersign.bounded(value jsonb) returns jsonb language plpgsql immutable as $$
    begin
      if pg_column_size(value) > 16777216 then
        raise exception 'A field may hold 16 MB at most.' using errcode = 'CS116';
      end if;
      return value;
    end $$;
  `,
}
