import type { ClassSchema, FieldType } from '../../classes/ClassSchema.ts'
import { quote, tableOf } from '../../db/createBindings.ts'
import { emit } from './emit.ts'
import { readColumn } from './readColumn.ts'
import type { Value } from './Value.ts'
import type { Rows, Scope, Work } from './Work.ts'

const date: FieldType = { type: 'Date' }

/** The objects of a class as the first rows of a pipeline. What is not asked for later costs nothing. */
export function openTable(
  work: Work,
  schema: ClassSchema,
  alias: string,
  condition: string | undefined,
  variables: Scope['variables'],
): Rows {
  return emit(work, {
    columns: tableColumns(schema, alias),
    body: `from ${tableOf(schema.className)} ${alias}${condition ? ` where ${condition}` : ''}`,
    variables,
  })
}

function tableColumns(schema: ClassSchema, alias: string): Map<string, Value> {
  const column = (name: string) => `${alias}.${quote(name)}`
  return new Map<string, Value>([
    ['objectId', { sql: column('objectId'), type: 'text' }],
    ['createdAt', { ...readColumn(column('createdAt'), date), optional: false }],
    ['updatedAt', { ...readColumn(column('updatedAt'), date), optional: false }],
    ...[...schema.fields].map(([name, field]): [string, Value] => [name, readColumn(column(name), field)]),
  ])
}
