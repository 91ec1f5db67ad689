import { CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { isSystemClass } from '../classes/classNames.ts'
import type { Config } from '../config/Config.ts'
import type { Access } from '../roles/Access.ts'
import type { Decision } from './Decision.ts'
import { decide } from './decide.ts'
import { isGranted } from './isGranted.ts'

/** Clients fill a class of the server's own so far and no further: the rest of its fields is the operator's. */
const mostByClients = 100

/** Who may add fields to a class. Those of the server's own are the operator's in production: one user would fill them for all. */
export function decideNewFields(config: Config, schema: ClassSchema, access: Access): Decision {
  const decision = decide(schema, access, 'addField')
  const { className } = schema
  if (access.isMaster || config.allowClientClassCreation || !isSystemClass(className)) return decision
  if (decision.rows === 'all' && !isGranted(schema, access, 'addField')) {
    throw new CountersignError(
      'OperationForbidden',
      `Permission denied for action addField on class ${className}. Its fields are made with the master key, or by those whom its permissions name.`,
    )
  }
  return decision
}

/** How many fields a class may have once the caller has added some; `undefined` for as many as any. */
export function mostFieldsFor(className: string, access: Access): number | undefined {
  return access.isMaster || !isSystemClass(className) ? undefined : mostByClients
}
