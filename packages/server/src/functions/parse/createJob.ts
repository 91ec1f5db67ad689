import type { Context } from '../../context/Context.ts'
import { codeCallerOf } from '../../context/codeCaller.ts'
import type { RegisteredJob } from '../../context/Registry.ts'
import type { CloudHandler } from './createFunction.ts'
import { createRequest } from './createRequest.ts'
import type { ParseSdk } from './ParseSdk.ts'
import { readParams } from './readParams.ts'
import { runCode } from './runCode.ts'

/** A job of `Cloud.job`, ready to be run. It is nobody's request, and has the rights of the server. */
export function createJob(context: Context, parse: ParseSdk, handler: CloudHandler): RegisteredJob {
  return {
    async run({ name, params, progress, signal }) {
      const caller = codeCallerOf({ isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' })
      const request = {
        ...createRequest(context, parse, caller),
        jobName: name,
        params: readParams(parse, params),
        message: (text: unknown) => progress(String(text)),
      }
      const result = await runCode(signal, () => handler(request as never))
      return typeof result === 'string' ? result : undefined
    },
  }
}
