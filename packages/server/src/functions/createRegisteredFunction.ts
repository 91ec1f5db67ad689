import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { RegisteredFunction } from '../context/Registry.ts'
import { checkCaller } from './checkCaller.ts'
import { createCallCounter } from './createCallCounter.ts'
import { createTools } from './createTools.ts'
import type { FunctionDefinition } from './Definition.ts'
import type { Processes } from './isolated/createProcesses.ts'
import { runHandler } from './runHandler.ts'
import { isOwnFailure, toRefusal } from './toRefusal.ts'

/** A function of our own form, ready to be called: who may call it, how often, and in which process it runs. */
export function createRegisteredFunction(
  context: Context,
  workers: Processes,
  definition: FunctionDefinition,
  { name, path, exported }: { name: string; path: string; exported: string },
): RegisteredFunction {
  const { rateLimit, timeout, isolate = context.config.functions.isolate } = definition
  const count = rateLimit && createCallCounter(rateLimit, name, context.clock)
  return {
    ...(timeout !== undefined && { timeout }),
    async run({ params, caller, signal }) {
      await checkCaller(context, definition, name, caller)
      count?.(caller)
      try {
        return isolate
          ? await workers.run({ name, path, exported, params, caller, signal })
          : await runHandler(definition, name, params, createTools(context, name, caller, signal))
      } catch (error) {
        if (isOwnFailure(error)) throw error
        if (!(error instanceof CountersignError)) context.log.warn({ err: error, code: name }, 'a function failed')
        throw toRefusal(error)
      }
    },
  }
}
