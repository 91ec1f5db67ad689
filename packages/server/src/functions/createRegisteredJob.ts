import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { RegisteredJob } from '../context/Registry.ts'
import { createTools } from './createTools.ts'
import type { JobDefinition } from './Definition.ts'
import { decodeValue } from './decodeValue.ts'
import type { CodeFields } from './Objects.ts'

/** A job of our own form, ready to be run. It is nobody's request, and has the rights of the server. */
export function createRegisteredJob(context: Context, definition: JobDefinition): RegisteredJob {
  const { schedule, timeZone, tries, timeLimit } = definition
  return {
    ...(schedule !== undefined && { schedule }),
    ...(timeZone !== undefined && { timeZone }),
    ...(tries !== undefined && { tries }),
    ...(timeLimit !== undefined && { timeLimit }),
    async run({ name, params, progress, signal }) {
      const server: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
      const tools = createTools(context, name, codeCallerOf(server), signal)
      const message = await definition.handle({ ...tools, params: decodeValue(params) as CodeFields, progress })
      return typeof message === 'string' ? message : undefined
    },
  }
}
