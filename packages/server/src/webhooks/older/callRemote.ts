import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { CodeCaller } from '../../context/Registry.ts'
import { postJson } from '../postJson.ts'

const longestAnswer = 20 * 1024 * 1024

/** Names that reach the prototype of an object: an answer is as foreign as any request. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** Asks code that runs elsewhere, as parse-server does: the call as JSON, `{ success }` or `{ error }` as the answer. */
export async function callRemote(
  { config, log }: Context,
  url: string,
  caller: CodeCaller,
  call: WireFields,
  signal: AbortSignal,
): Promise<WireValue | undefined> {
  const { timeout, allowPrivateAddresses } = config.webhooks
  const headers: Record<string, string> = {}
  if (config.webhookKey !== undefined) headers['X-Parse-Webhook-Key'] = config.webhookKey
  const body = JSON.stringify({ ...describeCaller(caller), ...call })
  const answer = await postJson(url, headers, body, { timeout, allowPrivateAddresses, signal, longestAnswer }).catch(
    (error) => {
      log.warn({ err: error, host: new URL(url).host }, 'code that runs elsewhere could not be asked')
      throw new CountersignError('ScriptFailed', 'The code that answers this runs elsewhere and could not be reached.')
    },
  )
  const { success, error } = readAnswer(answer.text)
  if (error === undefined && answer.status < 400) return success
  throw readError(error)
}

/** Without the session: what runs elsewhere is told who calls, and gets no means to call in their name. */
function describeCaller({ isMaster, user, installationId, ipAddress, context }: CodeCaller): WireFields {
  return {
    master: isMaster,
    ...(user && { user: { __type: 'Object', className: '_User', ...user } as WireValue }),
    ...(installationId !== undefined && { installationId }),
    ip: ipAddress,
    context: context as WireFields,
  }
}

function readAnswer(text: string): { success?: WireValue; error?: WireValue } {
  if (text === '') return {}
  try {
    const answer: unknown = JSON.parse(text, (key, value) => {
      if (forbidden.has(key)) throw new Error(key)
      return value
    })
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return { error: 'Malformed response' }
  }
}

function readError(error: WireValue | undefined): CountersignError {
  if (typeof error === 'string') return new CountersignError('ScriptFailed', error)
  const { code, error: text, message } = (error ?? {}) as WireFields
  const sentence = [text, message].find((part) => typeof part === 'string') ?? 'Script failed.'
  return new CountersignError(Number.isInteger(code) ? Number(code) : 'ScriptFailed', String(sentence))
}
