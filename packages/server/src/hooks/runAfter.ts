import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookEvent } from '../context/Registry.ts'
import { findHooks } from './findHooks.ts'

/**
 * Tells hooks what has happened, once it is committed; the answer waits for them. It can no longer be refused: what
 * they throw is logged. Where a hook returns an object, that is the answer.
 */
export async function runAfter(
  context: Context,
  caller: Caller,
  told: Pick<HookEvent, 'hook' | 'className' | 'original'> & { object: WireFields },
  answer?: object,
): Promise<void> {
  const handlers = findHooks(context, told.hook, told.className)
  if (!handlers) return
  await context.db.afterCommit(async () => {
    for (const handle of handlers) {
      try {
        const returned = await handle({ ...structuredClone(told), caller: codeCallerOf(caller) })
        if (answer && returned?.object) replace(answer, returned.object)
      } catch (error) {
        context.log.error({ err: error, hook: told.hook, className: told.className }, 'hook failed')
      }
    }
  })
}

/** In its place, since it may be part of an answer that was put together before the commit. */
function replace(answer: object, object: WireFields): void {
  for (const name of Object.keys(answer)) Reflect.deleteProperty(answer, name)
  Object.assign(answer, object)
}
