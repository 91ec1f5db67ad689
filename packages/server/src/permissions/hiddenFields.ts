import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Config } from '../config/Config.ts'
import type { Access } from '../roles/accessOf.ts'
import { isAuthenticated } from './decide.ts'
import { namesUser } from './mayAccess.ts'

/** The fields of a class that the caller does not get to see. */
export type HiddenFields = {
  /** Of every object. `undefined`: no rule speaks of this caller. */
  always: ReadonlySet<string> | undefined
  /** For objects that name the caller in a field: only fields hidden by all matching rules are hidden. */
  whereNamed: readonly { field: string; hidden: ReadonlySet<string> }[]
  /** Fields forbidden in conditions and orders: the result would reveal hidden values. */
  unaskable: ReadonlySet<string>
}

type Rules = ReadonlyMap<string, ReadonlySet<string>>

const nothing: HiddenFields = { always: undefined, whereNamed: [], unaskable: new Set() }

const byField = 'userField:'

/** A schema is never changed, so what follows from it is worked out once. */
const rulesBySchema = new WeakMap<ClassSchema, { config: Config; rules: Rules }>()

/** Fields hidden from the caller by `protectedFields` of the class and of the configuration. */
export function hiddenFields(config: Config, schema: ClassSchema, access: Access): HiddenFields {
  if (access.isMaster) return nothing
  const rules = rulesOf(config, schema)
  if (rules.size === 0) return nothing
  const applying: ReadonlySet<string>[] = []
  const whereNamed: { field: string; hidden: ReadonlySet<string> }[] = []
  for (const [entity, hidden] of rules) {
    if (entity === 'authenticated' ? isAuthenticated(access) : access.entities.includes(entity)) applying.push(hidden)
    else if (access.userId !== undefined && entity.startsWith(byField))
      whereNamed.push({ field: entity.slice(byField.length), hidden })
  }
  const always = applying.length === 0 ? undefined : applying.reduce(intersection)
  const unaskable = always ?? new Set(whereNamed.flatMap((rule) => [...rule.hidden]))
  return { always, whereNamed, unaskable }
}

/** The object without what the caller may not see. Users see all of themselves. */
export function stripHidden(hidden: HiddenFields, schema: ClassSchema, access: Access, object: WireFields): WireFields {
  if (!hidden.always && hidden.whereNamed.length === 0) return object
  if (schema.className === '_User' && access.userId !== undefined && object.objectId === access.userId) return object
  const applying = hidden.whereNamed
    .filter(({ field }) => Object.hasOwn(object, field) && namesUser(object[field], access.userId))
    .map((rule) => rule.hidden)
  if (hidden.always) applying.push(hidden.always)
  if (applying.length === 0) return object
  // A copy: the same object may be on its way to others who see more of it.
  const open = { ...object }
  for (const name of applying.reduce(intersection)) delete open[name]
  return open
}

/** Never hidden from the writer of the object: without them a response is useless. */
const ofEveryWrite = new Set(['objectId', 'createdAt', 'updatedAt'])

/** Removes hidden values from the response to a write: a default, or what a hook added to a number. */
export function omitHidden<Answer extends WireFields>(answer: Answer, hidden: ReadonlySet<string>): Answer {
  if (hidden.size === 0) return answer
  return Object.fromEntries(
    Object.entries(answer).filter(([name]) => !hidden.has(name) || ofEveryWrite.has(name)),
  ) as Answer
}

function intersection(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)))
}

function rulesOf(config: Config, schema: ClassSchema): Rules {
  const before = rulesBySchema.get(schema)
  if (before?.config === config) return before.rules
  const rules = new Map<string, Set<string>>()
  const configured = Object.hasOwn(config.protectedFields, schema.className)
    ? config.protectedFields[schema.className]
    : undefined
  for (const source of [configured, schema.permissions?.protectedFields]) {
    for (const [entity, names] of Object.entries(source ?? {})) {
      rules.set(entity, new Set([...(rules.get(entity) ?? []), ...names]))
    }
  }
  // A rule without names hides nothing from those it speaks of, and so does whatever else applies to them.
  const isEmpty = rules.size === 1 && rules.get('*')?.size === 0
  rulesBySchema.set(schema, { config, rules: isEmpty ? new Map() : rules })
  return isEmpty ? new Map() : rules
}
