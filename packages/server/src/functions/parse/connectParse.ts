import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { loadParse } from './loadParse.ts'
import type { ParseSdk } from './ParseSdk.ts'
import { checkScope } from './scope.ts'

const known = new WeakMap<Context, ParseSdk>()

/** The public client of this server's own code: what it sends is carried out in this process, without HTTP. */
export function connectParse(context: Context): ParseSdk {
  const before = known.get(context)
  if (before) return before
  const { keys, config } = context
  const parse = loadParse()
  parse.initialize(keys.appId, keys.javascriptKey, keys.masterKey)
  parse.serverURL = `${context.publicUrl}${config.mount}`
  // Files go the way of everything else: as JSON.
  delete parse.CoreManager.getFileController().saveBinary
  parse.CoreManager.getRESTController().ajax = async (method, url, sent, headers = {}) => {
    refuseOverdue()
    const path = url.slice(parse.serverURL.replace(/\/+$/, '').length)
    const answer = await context.ask({ method, path, body: sent || identifyBy(headers) })
    // Thrown as it came: the client makes an error of its own of it.
    if ('error' in answer) throw answer.error
    return { status: answer.status, response: answer.output, headers: answer.headers }
  }
  known.set(context, parse)
  return parse
}

/** Where the client sends no body, it names itself in headers. */
function identifyBy(headers: { [name: string]: string }): string {
  return JSON.stringify({
    _ApplicationId: headers['X-Parse-Application-ID'],
    _MasterKey: headers['X-Parse-Master-Key'],
    _SessionToken: headers['X-Parse-Session-Token'],
  })
}

function refuseOverdue(): void {
  try {
    checkScope()
  } catch (error) {
    const { code, message } = error instanceof CountersignError ? error : new CountersignError('Timeout', 'Time is up.')
    throw { code, error: message }
  }
}
