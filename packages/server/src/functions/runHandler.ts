import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { z } from 'zod'
import type { FunctionDefinition, FunctionTools, Tools } from './Definition.ts'
import { decodeObject, decodeValue } from './decodeValue.ts'
import { encodeValue } from './encodeValue.ts'

/** Checks what came, runs the handler, checks and encodes what it answers. The same in the server and in processes beside it. */
export async function runHandler(
  definition: FunctionDefinition,
  name: string,
  params: WireFields,
  tools: Tools,
): Promise<WireValue | undefined> {
  const input = await readInput(definition.input, name, decodeValue(params))
  const record = tools.caller.user
  const user = record && decodeObject('_User', record)
  const answer = await definition.handle({ ...tools, input, user } as FunctionTools<never, never>)
  const output = definition.output ? await readOutput(definition.output, name, answer) : answer
  return output === undefined ? undefined : encodeValue(output, 'answer', `The answer of ${name}`)
}

async function readInput(schema: z.ZodType | undefined, name: string, params: unknown): Promise<unknown> {
  if (!schema) return params
  const read = await schema.safeParseAsync(params)
  if (read.success) return read.data
  const mistakes = read.error.issues.map(describe)
  throw new CountersignError('ValidationError', `${name} cannot be called so: ${mistakes[0]}`, {
    ...(mistakes.length > 1 && { details: mistakes.slice(0, 20).join('\n') }),
  })
}

async function readOutput(schema: z.ZodType, name: string, answer: unknown): Promise<unknown> {
  const read = await schema.safeParseAsync(answer)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new CountersignError(
    'ScriptFailed',
    `${name} answered something else than its output says: ${issue && describe(issue)}`,
  )
}

function describe({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`
}
