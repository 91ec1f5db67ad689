import { CountersignError } from '@countersign/protocol'

/** The protocol counts them in 16 bits; one more and what follows is read as something else. */
const mostValues = 60_000

/** The values of a statement that is being written. `bind` answers the placeholder that stands for the value. */
export type Bindings = { readonly values: unknown[]; bind(value: unknown): string }

/** For statements whose text is put together by hand on hot paths: values are bound, names come from `quote`. */
export function createBindings(bound: readonly unknown[] = []): Bindings {
  const values = [...bound]
  return {
    values,
    bind: (value) => {
      if (values.length >= mostValues)
        throw new CountersignError('InvalidQuery', 'The request asks for too much at once.')
      return `$${values.push(value)}`
    },
  }
}

/** A name of the schema in SQL. Names reach here only after they were found in the schema or checked. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The table of a class. Always with its schema: a class called `pg_class` must not read the catalogue. */
export function tableOf(className: string): string {
  return `public.${quote(className)}`
}
