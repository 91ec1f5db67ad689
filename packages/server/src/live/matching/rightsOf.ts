import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Config } from '../../config/Config.ts'
import { decide } from '../../permissions/decide.ts'
import { hiddenFields } from '../../permissions/hiddenFields.ts'
import type { Identity } from '../createIdentities.ts'
import type { Rights } from './Matching.ts'

/** What one may see of a class as things stand. Throws where that is nothing. */
export function rightsOf(config: Config, schema: ClassSchema, identity: Identity, operation: 'find' | 'get'): Rights {
  const { access, rights } = identity
  const key = `${operation} ${schema.className}`
  const known = rights.get(key)
  if (known && known.schema === schema && known.access === access) return known
  const decision = decide(schema, access, operation)
  const hidden = hiddenFields(config, schema, access)
  // Users see all of themselves, and rules about fields that name somebody differ from object to object.
  const isSame = hidden.whereNamed.length === 0 && (schema.className !== '_User' || access.userId === undefined)
  const names = [...(hidden.always ?? [])].sort().join()
  const isOpen = !hidden.always && hidden.whereNamed.length === 0
  const made: Rights = { schema, access, decision, hidden, hiddenKey: isOpen ? '' : isSame ? names : undefined }
  rights.set(key, made)
  return made
}
