import { format } from 'node:util'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import type { CodeCaller } from '../../context/Registry.ts'
import { toParse } from './objects.ts'
import type { ParseObject, ParseSdk } from './ParseSdk.ts'

/** What every function, job and hook of the older form is told. */
export type CloudRequest = {
  [name: string]: unknown
  master: boolean
  user: ParseObject | undefined
  params?: { [name: string]: unknown }
  object?: ParseObject
  original?: ParseObject | undefined
}

export function createRequest(context: Context, parse: ParseSdk, caller: CodeCaller): CloudRequest {
  const { session } = callerOf(caller)
  const user =
    caller.user && toParse(parse, '_User', { ...caller.user, ...(session && { sessionToken: session.token }) })
  return {
    master: caller.isMaster,
    user,
    installationId: caller.installationId,
    ip: caller.ipAddress,
    headers: caller.headers,
    context: caller.context,
    log: createCloudLog(context),
  }
}

export type CloudLog = {
  [level in 'error' | 'warn' | 'info' | 'verbose' | 'debug' | 'silly']: (...parts: unknown[]) => void
}

/** The levels that code of the older form knows, over those of the server's log. */
export function createCloudLog({ log }: Context): CloudLog {
  const write =
    (level: 'error' | 'warn' | 'info' | 'debug' | 'trace') =>
    (...parts: unknown[]) =>
      log[level]({ source: 'cloud code' }, format(...parts))
  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    verbose: write('debug'),
    debug: write('debug'),
    silly: write('trace'),
  }
}
