import type { LiveEventName, WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookHandler } from '../context/Registry.ts'
import type { Told } from './matching/judge.ts'
import type { Subscription } from './Subscription.ts'

type Changed = { event: LiveEventName; object: WireFields; original: WireFields | undefined }

const events = new Set<string>(['create', 'update', 'enter', 'leave', 'delete'])

/**
 * Asks the application what a subscriber is to be told. P6: each call has a copy of its own, so that what one does to
 * it reaches nobody else. `undefined` where nothing is to be told; so too where a hook fails.
 */
export async function runEventHooks(
  { log }: Context,
  handlers: readonly HookHandler[],
  { caller, group }: Subscription,
  told: Told,
): Promise<Changed | undefined> {
  let { event, object, original }: Changed = told
  try {
    for (const handle of handlers) {
      const copy = structuredClone({ event, object, ...(original && { original }) })
      const { className } = group.question
      const hook = 'afterLiveQueryEvent' as const
      const returned = await handle({ hook, className, caller: codeCallerOf(caller), sendEvent: true, ...copy })
      if (returned?.sendEvent === false) return undefined
      if (returned?.event !== undefined && events.has(returned.event)) event = returned.event
      object = returned?.object ?? object
      original = returned?.original ?? original
    }
    return { event, object, original }
  } catch (error) {
    log.error({ err: error, hook: 'afterLiveQueryEvent', className: group.question.className }, 'hook failed')
    return undefined
  }
}
