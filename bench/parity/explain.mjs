/** @typedef {{ status: number, body: unknown }} Shown */
/** @typedef {{ operation: import('./createSide.mjs').Operation, ours: Shown, theirs: Shown }} Difference */

const codeOf = (/** @type {Shown} */ { body }) => /** @type {{ code?: number } | null} */ (body)?.code
const rowsOf = (/** @type {Shown} */ { body }) =>
  /** @type {{ results?: Record<string, unknown>[] } | null} */ (body)?.results

/**
 * Meant differences and faults of the other server, by what is compared; the first that holds explains.
 *
 * @type {[reason: string, holds: (difference: Difference & { path: string, sent: string }) => boolean][]}
 */
const reasons = [
  ['parse-server answers 500', ({ theirs }) => theirs.status === 500],
  [
    'an unknown class: ours has no rows or is made by the master key, parse-server refuses some of it (119, 111)',
    ({ path, sent }) => /^\/classes\/(Missing|1bad|_Nope)/.test(path) || /classes\/Missing/.test(sent),
  ],
  ['new fields from clients are off in production', ({ ours, theirs }) => codeOf(ours) === 119 && theirs.status < 300],
  [
    'no value: ours treats it as MongoDB does in $nor, $ne, $nin, $notInQuery and $dontSelect; its PostgreSQL adapter as SQL does',
    ({ path, ours, theirs }) =>
      /\$(nor|ne|nin|notInQuery|dontSelect|all|containedBy)"|"\$exists"|null/.test(path) &&
      idsOf(ours) !== idsOf(theirs),
  ],
  [
    'order of rows without the field: first in ours, as in MongoDB; last in its PostgreSQL adapter',
    ({ path, ours, theirs }) => /order=-?(?!createdAt)/.test(path) && idsOf(ours) !== idsOf(theirs),
  ],
  [
    'a relation is not sent where `keys` does not name it',
    ({ path, ours, theirs }) =>
      /keys=/.test(path) && JSON.stringify(withoutRelation(ours.body)) === JSON.stringify(withoutRelation(theirs.body)),
  ],
  [
    'the result of an update is not sent to who may no longer read the object',
    ({ operation, sent, ours, theirs }) =>
      ['update', 'batch'].includes(operation.kind) && /"ACL"/.test(sent) && ours.status === theirs.status,
  ],
  [
    'both refuse, with another code',
    ({ ours, theirs }) => ours.status >= 400 && ours.status < 500 && theirs.status >= 400,
  ],
  [
    'pointers and objects have no order: refused by ours',
    ({ path, ours }) => /"\$(lt|gt|lte|gte)":[{[]/.test(path) && codeOf(ours) === 107,
  ],
  [
    'a filter on a field that does not exist or for a value of another type finds nothing in ours; refused by it (119), or its whole $or finds nothing',
    ({ operation, path, ours, theirs }) =>
      operation.kind === 'find' && ours.status === 200 && (codeOf(theirs) === 119 || path.includes('"other"')),
  ],
  ['its PostgreSQL adapter estimates a count without a filter', ({ ours, theirs }) => isSame(ours, theirs, 'count')],
  [
    'a subquery without rows finds nothing in ours',
    ({ path, ours }) => /\$(inQuery|select)"/.test(path) && rowsOf(ours)?.length === 0,
  ],
  [
    'a list in a list of values is one value',
    ({ path, ours, theirs }) => /\[\[|\],\[/.test(path) && ours.status === theirs.status,
  ],
  ['null is kept as a value, as in MongoDB', ({ ours }) => JSON.stringify(ours.body).includes('null')],
  [
    'its PostgreSQL adapter stores an operation on a part of an object as its value',
    ({ theirs, sent }) => /"__op"/.test(JSON.stringify(theirs.body)) || /"settings\.[^}]*"__op"/.test(sent),
  ],
  [
    'removing a part of an absent object makes an empty one in its PostgreSQL adapter',
    ({ theirs }) => JSON.stringify(theirs.body).includes('"settings":{}'),
  ],
  ['parameters of the configuration for the master key alone are listed', ({ path }) => path === '/config'],
  ['no such operator in its PostgreSQL adapter', ({ theirs, ours }) => codeOf(theirs) === 102 && ours.status === 200],
]

/**
 * Why two responses differ, if that is meant or a fault of the other server.
 *
 * @param {Difference} difference
 * @returns {string | undefined}
 */
export function explain(difference) {
  const { path, body } = difference.operation
  const whole = { ...difference, path: decodeURIComponent(path), sent: JSON.stringify(body) ?? '' }
  return reasons.find(([, holds]) => holds(whole))?.[0]
}

/**
 * Compares two responses without that field.
 *
 * @param {Shown} ours
 * @param {Shown} theirs
 * @param {string} field
 */
function isSame(ours, theirs, field) {
  const without = (/** @type {Shown} */ { status, body }) =>
    JSON.stringify([status, withoutRelation({ .../** @type {object} */ (body), [field]: 0 })])
  return without(ours) === without(theirs)
}

/** @param {Shown} shown */
function idsOf(shown) {
  return JSON.stringify(rowsOf(shown)?.map(({ objectId }) => objectId))
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function withoutRelation(value) {
  if (Array.isArray(value)) return value.map(withoutRelation)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, part]) => part?.__type !== 'Relation')
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutRelation(part)]))
}
