import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks } from './findHooks.ts'
import { runBefore } from './runBefore.ts'

/** Asks the application whether a user who has proven who he is may come in. */
export async function runBeforeSignIn(context: Context, caller: Caller, user: WireFields): Promise<void> {
  const handlers = findHooks(context, 'beforeSignIn', '_User')
  if (handlers) await runBefore(handlers, caller, { hook: 'beforeSignIn', className: '_User', object: user })
}
