import type { WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { runFunction } from '../functions/runFunction.ts'
import type { Body } from './readBody.ts'

/** The answer of a function of the application, as clients read it. */
export async function answerFunction(
  context: Context,
  caller: Caller,
  name: string,
  params: Body,
): Promise<{ result?: WireValue }> {
  const result = await runFunction(context, caller, name, params)
  return result === undefined ? {} : { result }
}
