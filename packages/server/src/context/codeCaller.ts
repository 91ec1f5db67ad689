import type { Caller } from './Caller.ts'
import type { CodeCaller } from './Registry.ts'

/** Not fields: code of the application must not reach the caller, and a copy of a caller is another caller. */
const codeCallerByCaller = new WeakMap<Caller, CodeCaller>()
const callerByCodeCaller = new WeakMap<CodeCaller, Caller>()

/** Headers with credentials. Never shown to application code. */
const secret = /^(cookie|authorization|x-parse-(master|javascript|rest-api|client)-key|x-parse-session-token)$/

/** The caller as code of the application sees it: one and the same for all code along a request. */
export function codeCallerOf(caller: Caller): CodeCaller {
  const known = codeCallerByCaller.get(caller)
  if (known) return known
  let headers: CodeCaller['headers'] | undefined
  const made: CodeCaller = {
    isMaster: caller.isMaster,
    ipAddress: caller.ipAddress,
    ...(caller.installationId !== undefined && { installationId: caller.installationId }),
    ...(caller.session && { user: caller.session.user }),
    context: caller.codeContext ?? {},
    get headers() {
      headers ??= readHeaders(caller)
      return headers
    },
  }
  codeCallerByCaller.set(caller, made)
  callerByCodeCaller.set(made, caller)
  return made
}

function readHeaders(caller: Caller): CodeCaller['headers'] {
  const headers: CodeCaller['headers'] = {}
  for (const [name, value] of Object.entries(caller.headers ?? {}))
    if (typeof value === 'string' && !secret.test(name)) headers[name] = value
  return headers
}

/**
 * Caller behind the one that application code sees. Code that no request called, such as a job, has the server's
 * rights.
 */
export function callerOf(caller: CodeCaller): Caller {
  return callerByCodeCaller.get(caller) ?? { isMaster: caller.isMaster, isLocalApp: false, ipAddress: caller.ipAddress }
}
