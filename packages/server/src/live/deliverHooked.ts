import type { WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { HookHandler } from '../context/Registry.ts'
import { projectObject } from '../objects/projectObject.ts'
import { stripHidden } from '../permissions/hiddenFields.ts'
import { headOf } from './deliver.ts'
import type { LiveStats } from './LiveStats.ts'
import type { Told } from './matching/judge.ts'
import { runEventHooks } from './runEventHooks.ts'
import type { Subscription } from './Subscription.ts'
import { encodeFrame } from './sockets/encodeFrame.ts'

/** As `deliver`, by way of the application's own code, which may say something else to each. */
export async function deliverHooked(
  { context, stats }: { context: Context; stats: LiveStats },
  handlers: readonly HookHandler[],
  subscription: Subscription,
  told: Told,
): Promise<boolean> {
  const { client, group } = subscription
  const changed = await runEventHooks(context, handlers, subscription, told)
  if (!changed || subscription.ended) return true
  const write = (object: WireFields, stored: WireFields) =>
    JSON.stringify({
      className: group.question.className,
      ...projectObject(open(object, stored), group.keys, undefined),
    })
  // P6: what is hidden is decided by what is stored, not by what a hook made of it.
  const open = (object: WireFields, stored: WireFields) => {
    const { hidden, schema, access } = group.rights
    const shown = stripHidden(hidden, schema, access, stored)
    if (shown === stored) return object
    return Object.fromEntries(
      Object.entries(object).filter(([name]) => Object.hasOwn(shown, name) || !Object.hasOwn(stored, name)),
    )
  }
  const original = changed.original && `,"original":${write(changed.original, told.original ?? told.object)}`
  const position = client.positions ? `,"position":${JSON.stringify(told.happening.position())}` : ''
  const text = `,"object":${write(changed.object, told.object)}${original ?? ''}${position}}`
  if (!client.outlet.push(encodeFrame(headOf(subscription, changed.event), Buffer.from(text)))) return false
  stats.deliveries++
  return true
}
