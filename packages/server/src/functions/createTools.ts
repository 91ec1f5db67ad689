import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { callerOf, codeCallerOf } from '../context/codeCaller.ts'
import type { CodeCaller } from '../context/Registry.ts'
import { createObjects, runObjectStep } from './createObjects.ts'
import type { Tools } from './Definition.ts'
import { untilAborted } from './runFunction.ts'

/** Tools for code in the server's own process. */
export function createTools(context: Context, name: string, caller: CodeCaller, signal: AbortSignal): Tools {
  const own = callerOf(caller)
  const master = asMaster(own)
  return {
    caller,
    objects: createObjects((step) => runObjectStep(context, own, signal, step)),
    masterObjects: createObjects((step) => runObjectStep(context, master, signal, step)),
    // Work that hangs would keep its connection, and everyone else from the embedded database.
    transaction: (work) => context.db.transaction(() => untilAborted(signal, work), { tries: 1 }),
    signal,
    log: (message, details) => context.log.info({ ...details, code: name }, message),
  }
}

/** The rights of the server for code along a request: what the request carried for code stays with it. */
export function asMaster(caller: Caller): Caller {
  const { context } = codeCallerOf(caller)
  return { isMaster: true, isLocalApp: false, ipAddress: caller.ipAddress, codeContext: context }
}
