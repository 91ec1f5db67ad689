import type { Caller } from './Caller.ts'
import type { CodeCaller } from './Registry.ts'

const codeCallers = new WeakMap<Caller, CodeCaller>()
const callers = new WeakMap<CodeCaller, Caller>()

/** What a client proves itself by is nobody's business, the application's own code included. */
const secret = /^(cookie|authorization|x-parse-(master|javascript|rest-api|client)-key|x-parse-session-token)$/

/** The caller as code of the application sees it: one and the same for all code along a request. */
export function codeCallerOf(caller: Caller): CodeCaller {
  const known = codeCallers.get(caller)
  if (known) return known
  const headers = Object.entries(caller.headers ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && !secret.test(name) ? [[name, value]] : [],
  )
  const made: CodeCaller = {
    isMaster: caller.isMaster,
    ipAddress: caller.ipAddress,
    ...(caller.installationId !== undefined && { installationId: caller.installationId }),
    ...(caller.session && { user: caller.session.user }),
    context: caller.codeContext ?? {},
    headers: Object.fromEntries(headers),
  }
  codeCallers.set(caller, made)
  callers.set(made, caller)
  return made
}

/** Who that is for the server. Code that was called by nobody's request, such as a job, has the rights of the server. */
export function callerOf(caller: CodeCaller): Caller {
  return callers.get(caller) ?? { isMaster: caller.isMaster, isLocalApp: false, ipAddress: caller.ipAddress }
}
