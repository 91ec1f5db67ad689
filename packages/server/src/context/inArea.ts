import type { LogArea } from '../config/Config.ts'
import { logOf } from '../log/createLogger.ts'
import type { Context } from './Context.ts'

/** The same context for a part of the server, which logs at a level of its own. */
export function inArea(context: Context, area: LogArea): Context {
  // Not a copy: some of its fields are set while the server starts.
  return Object.create(context, {
    log: { value: logOf(context.log, context.config, area), enumerable: true },
  }) as Context
}
