import type { Migration } from '../migrate.ts'

export const classes: Migration = {
  name: '0001 classes',
  sql: `
      create table countersign.classes (
        "className" text primary key,
        fields jsonb not null,
        version integer not null default 1
      );

      create function countersign.json_list(base jsonb) returns jsonb language plpgsql immutable as $$
      begin
        if base is null or base = 'null' then return '[]'; end if;
        if jsonb_typeof(base) <> 'array' then
          raise exception 'This field is not an Array.' using errcode = 'CS111';
        end if;
        return base;
      end $$;

      create function countersign.list_add_unique(base jsonb, items jsonb) returns jsonb language sql immutable as $$
        select countersign.json_list(base) || coalesce((
          select jsonb_agg(item order by place) from (
            select item, min(place) as place
            from jsonb_array_elements(items) with ordinality as added (item, place)
            where not exists (select from jsonb_array_elements(countersign.json_list(base)) as present (item) where present.item = added.item)
            group by item
          ) as fresh
        ), '[]')
      $$;

      create function countersign.list_remove(base jsonb, items jsonb) returns jsonb language sql immutable as $$
        select coalesce((
          select jsonb_agg(present.item order by place)
          from jsonb_array_elements(countersign.json_list(base)) with ordinality as present (item, place)
          where not exists (select from jsonb_array_elements(items) as removed (item) where removed.item = present.item)
        ), '[]')
      $$;

      create function countersign.json_increment(base jsonb, amount double precision) returns jsonb language plpgsql immutable as $$
      begin
        if base is null or base = 'null' then return to_jsonb(amount); end if;
        if jsonb_typeof(base) <> 'number' then
          raise exception 'Only a Number can be incremented.' using errcode = 'CS111';
        end if;
        return to_jsonb(base::double precision + amount);
      end $$;

      create function countersign.json_put(base jsonb, path text[], value jsonb) returns jsonb language plpgsql immutable as $$
      begin
        if cardinality(path) = 0 then return value; end if;
        if jsonb_typeof(base) = 'array' and path[1] ~ '^[0-9]{1,6}$' then
          return jsonb_set(base, path[1:1], countersign.json_put(base -> path[1]::integer, path[2:], value));
        end if;
        if base is null or jsonb_typeof(base) <> 'object' then base := '{}'; end if;
        return base || jsonb_build_object(path[1], countersign.json_put(base -> path[1], path[2:], value));
      end $$;
    `,
}
