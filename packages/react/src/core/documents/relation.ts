import type { Ref } from './Document.ts'
import type { FieldName, Query, QueryOptions } from './QueryOptions.ts'
import type { ClassName, FieldsOf } from './Register.ts'
import type { Relation } from './values/FieldTypes.ts'

/** The class that a relation leads to. */
type TargetOf<Name extends ClassName, Field extends FieldName<Name>> =
  NonNullable<FieldsOf<Name>[Field]> extends Relation<infer Target>
    ? Target extends ClassName
      ? Target
      : never
    : ClassName

/**
 * The query of a relation's members, all of them or those that more conditions leave.
 *
 * @example
 * const fans = await find(client, relation(game, 'likes', { where: { age: { $gte: 18 } } }))
 */
export function relation<Name extends ClassName, Field extends FieldName<Name>>(
  object: Ref<Name>,
  field: Field,
  options: QueryOptions<TargetOf<Name, Field>> = {},
): Query<TargetOf<Name, Field>> {
  const { className, objectId } = object
  const marker: unknown = new Map<string, unknown>(Object.entries(object)).get(field)
  const target = typeof marker === 'object' && marker !== null && 'className' in marker ? marker.className : undefined
  // A pointer does not tell where the relation leads; the server knows.
  const asked = target === undefined ? { className, redirectClassNameForKey: field } : { className: target }
  const $relatedTo = { object: { __type: 'Pointer', className, objectId }, key: field }
  const query: unknown = Object.freeze({ ...options, ...asked, where: { ...options.where, $relatedTo } })
  return query as Query<TargetOf<Name, Field>>
}
