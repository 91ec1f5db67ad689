import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { sameValue } from '../classes/sameValue.ts'
import type { Caller } from '../context/Caller.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookEvent, HookHandler } from '../context/Registry.ts'
import { checkKeys } from './checkKeys.ts'

/** Told by the server alone, or no field at all. */
const fixed = new Set(['objectId', 'createdAt', 'updatedAt', '__type', 'className', 'sessionToken'])

/**
 * Calls hooks with what is about to happen to an object, one after another; a throw refuses it. Answers the changes
 * that they made of their own, which count over those of the caller.
 */
export async function runBefore(
  handlers: readonly HookHandler[],
  caller: Caller,
  told: Pick<HookEvent, 'hook' | 'className' | 'original'> & { object: WireFields },
): Promise<WireChanges> {
  const own: { [name: string]: WireValue } = {}
  let { object } = told
  for (const handle of handlers) {
    // Copies: what a hook does to them counts only where it is returned.
    const returned = await handle({ ...structuredClone({ ...told, object }), caller: codeCallerOf(caller) })
    checkKeys(returned?.object ?? null)
    for (const [name, value] of Object.entries(returned?.object ?? {})) {
      // As in a request: a list that is null asks for nothing, and does not take the place of the caller's.
      if (name === 'ACL' && value === null) continue
      if (fixed.has(name) || (Object.hasOwn(object, name) && sameValue(object[name] as WireValue, value))) continue
      own[name] = value
      object = withField(object, name, value)
    }
  }
  return own
}

/** The object as the next hook sees it. What other operations lead to is not known yet. */
function withField(object: WireFields, name: string, value: WireValue): WireFields {
  const operation: unknown = Reflect.get(Object(value), '__op')
  if (operation === undefined) return { ...object, [name]: value }
  if (operation !== 'Delete') return object
  const { [name]: _gone, ...kept } = object
  return kept
}
