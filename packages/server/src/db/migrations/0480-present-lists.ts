import type { Migration } from '../migrate.ts'

export const presentLists: Migration = {
  name: '0480 present lists',
  sql: `
    -- Immutable, since Citus refuses other functions in updates. With the list as argument the planner cannot raise the
    -- error in advance.
    create function countersign.present_list(list jsonb) returns jsonb language plpgsql immutable parallel safe as $$
    begin
      if list is null then
        raise exception 'The list does not exist yet. Set the whole field first.' using errcode = 'CS119';
      end if;
      return list;
    end $$;

    -- The workers of a cluster that has distributed classes need it, too.
    do $$
    begin
      if exists (select from countersign.classes where distributed) then
        perform create_distributed_function('countersign.present_list(jsonb)');
      end if;
    end $$;
  `,
}
