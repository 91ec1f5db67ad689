import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { callerOf, codeCallerOf } from '../context/codeCaller.ts'
import type { CodeCaller, TimeLimit } from '../context/Registry.ts'
import { createObjects, runObjectStep } from './createObjects.ts'
import type { Tools } from './Definition.ts'
import { untilAborted } from './withTimeLimit.ts'

/** Tools for code in the server's own process. */
export function createTools(context: Context, name: string, caller: CodeCaller, limit: TimeLimit): Tools {
  const own = callerOf(caller)
  const master = asMaster(own)
  return {
    caller,
    objects: createObjects((step) => runObjectStep(context, own, limit, step)),
    masterObjects: createObjects((step) => runObjectStep(context, master, limit, step)),
    // Work that hangs would keep its connection, and everyone else from the embedded database.
    transaction: (work) => context.db.transaction(() => untilAborted(limit, work), { tries: 1 }),
    get signal() {
      return limit.signal
    },
    log: (message, details) => context.log.info({ ...details, code: name }, message),
  }
}

/** The rights of the server for code along a request: what the request carried for code stays with it. */
export function asMaster(caller: Caller): Caller {
  const { context } = codeCallerOf(caller)
  return { isMaster: true, isLocalApp: false, ipAddress: caller.ipAddress, codeContext: context }
}
