import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Context } from '../../context/Context.ts'
import type { Condition } from '../../queries/Condition.ts'
import { isMatchable } from '../../queries/isMatchable.ts'
import { checkAskable } from '../../queries/Reading.ts'
import { readWhere } from '../../queries/readWhere.ts'
import { readName } from '../../queries/resolvePlace.ts'
import type { Identity } from '../createIdentities.ts'
import type { Question, Rights } from './Matching.ts'
import { rightsOf } from './rightsOf.ts'

type Asked = Pick<Question, 'className' | 'where' | 'watch' | 'operation'>

/** What asks about other objects than the one that changed. */
const elsewhere = new Set(['$inQuery', '$notInQuery', '$select', '$dontSelect', '$relatedTo', '$text'])

/** Reads a question with the rights of whoever asks it, as things stand. Throws where it may not or cannot be asked. */
export function compileQuestion(
  { classes, config, clock }: Context,
  schema: ClassSchema,
  identity: Identity,
  { where, watch = [], operation }: Asked,
): { condition: Condition; rights: Rights } {
  const rights = rightsOf(config, schema, identity, operation)
  const asking = { classes, config, access: identity.access, now: clock.now() }
  // Before it is read: a question about a class that is not there yet would be settled for good.
  const operator = findElsewhere(where)
  if (operator !== undefined) refuse(operator)
  const condition = readWhere(asking, schema, where)
  if (!isMatchable(condition)) refuse('A condition on a relation or a token')
  // P6: that an update was told would tell that the hidden field changed.
  for (const name of watch) checkAskable(asking, schema, readName(name)[0])
  return { condition, rights }
}

function refuse(what: string): never {
  throw new CountersignError(
    'InvalidQuery',
    `${what} cannot be used in a live query, since it asks about other objects than the one that changes. Subscribe without it and query again when an event arrives.`,
  )
}

function findElsewhere(value: WireValue | WireFields | undefined): string | undefined {
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (elsewhere.has(key)) return key
    const found = findElsewhere(inner as WireValue)
    if (found !== undefined) return found
  }
  return undefined
}
