import type { Context } from '../../context/Context.ts'
import { toRefusal } from '../toRefusal.ts'
import { untilAborted } from '../untilAborted.ts'
import { withTimeLimit } from '../withTimeLimit.ts'
import { runInScope } from './scope.ts'

/** Runs code of the older form; what it throws reaches the caller with its own text and code, 141 where it has none. */
export async function runCode<Result>(signal: AbortSignal, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await untilAborted(signal, () => runInScope(signal, async () => work()))
  } catch (error) {
    throw toRefusal(error)
  }
}

/** The same for a hook, which has only so much time: others may be waiting for what it holds. */
export function runHookCode<Result>(
  { config }: Context,
  name: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  return withTimeLimit(config.functions.timeout, `The hook ${name}`, (signal) => runCode(signal, work))
}
