import { CountersignError, errorCodes, longest, refuse, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { refuseLong } from '../../endpoint/parseRequest.ts'
import type { AdapterAnswer, AdapterRequest, AdapterUser, Provider } from '../../providers/authAdapters.ts'
import { type FarcasterProof, proveFarcaster } from './farcaster.ts'

/** Data of one provider, as the caller sent it. */
export type GivenIdentity = {
  provider: Provider
  id: string
  data: WireFields
  /** Data to store, if the provider itself has just sent the user back. */
  checked?: WireFields
}

/** An identity checked by its adapter: the data to store, and the response for the client. */
export type ProvenIdentity = GivenIdentity & {
  /** Kind of check: a set-up proves nothing about the owner of stored data. */
  step: Step
  /** `undefined`: what is kept stays as it is. */
  kept: WireFields | undefined
  /** The adapter chose the stored data: valid only if nothing else was stored since. */
  isChosen: boolean
  response: WireValue | undefined
}

type Step = 'validateSetUp' | 'validateLogin' | 'validateUpdate'

/** Asks the adapter to check `authData`. Throws the adapter's error. Never call it in a transaction. */
export async function proveIdentity(
  context: Context,
  caller: Caller,
  given: GivenIdentity,
  step: Step,
  /** Stored data, if the identity already belongs to a user. */
  owner?: WireFields,
): Promise<ProvenIdentity> {
  const { provider, data, checked } = given
  if (checked) return { ...given, step, kept: checked, isChosen: false, response: undefined }
  if (provider.farcaster) {
    const purpose = !caller.session ? 'signIn' : step === 'validateLogin' ? 'reauthenticate' : 'link'
    const { id, kept } = await proveFarcaster(context, caller, purpose, provider.farcaster, readProof(data))
    if (id !== given.id) throw refuse('messageChanged')
    return { ...given, step, data: { id }, kept, isChosen: false, response: undefined }
  }
  const { adapter, options } = provider
  const request = describeRequest(caller, owner)
  const answer = await runAdapter(context, provider, 'Auth', async () => {
    if (adapter.validateAppId && options.appIds !== undefined)
      await adapter.validateAppId(options.appIds, copy(data), options, request)
    if (adapter.validateAuthData) return adapter.validateAuthData(copy(data), options, request)
    return adapter[step]?.(copy(data), options, request)
  })
  const { response, save, doNotSave } = readAnswer(provider, answer)
  const kept = doNotSave ? undefined : (save ?? data)
  return { ...given, step, kept, isChosen: save !== undefined && !doNotSave, response }
}

function readProof({ message, signature }: WireFields): FarcasterProof {
  if (typeof message !== 'string' || typeof signature !== 'string') throw refuse('proofMissing')
  refuseLong('authData.farcaster.message', message, longest.message)
  refuseLong('authData.farcaster.signature', signature, longest.signature)
  return { message, signature }
}

export function describeRequest(caller: Caller, owner?: WireFields): AdapterRequest {
  const asked = caller.session?.user
  return {
    ip: caller.ipAddress,
    master: caller.isMaster,
    ...(caller.installationId !== undefined && { installationId: caller.installationId }),
    ...(asked && { user: asUser(asked) }),
    ...(owner && { original: asUser(owner), object: asUser(owner) }),
  }
}

function asUser(fields: WireFields): AdapterUser {
  const own = copy(fields)
  return {
    id: String(own.objectId),
    get: (name) => (Object.hasOwn(own, name) ? own[name] : undefined),
    toJSON: () => own,
  }
}

/** An adapter gets a copy: what it writes into it changes nothing of ours. */
const copy = (fields: WireFields): WireFields => structuredClone(fields)

const longestSentence = 1_000

/** Runs a function of an adapter within the time that functions have. What it throws is a refusal, never a fault of the server. */
export async function runAdapter<Result>(
  { config, log }: Context,
  { name }: Provider,
  what: 'Auth' | 'Challenge',
  work: () => Promise<Result>,
): Promise<Result> {
  const ms = config.functions.timeoutMs
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CountersignError('Timeout', `The provider ${name} took longer than ${ms} ms.`)),
      ms,
    )
  })
  try {
    return await Promise.race([work(), limit])
  } catch (error) {
    const refusal = asRefusal(error, `${what} failed. Unknown error.`)
    // Not the error itself: it may hold what was sent.
    log.info({ provider: name, code: refusal.code, reason: refusal.message }, 'an auth adapter refused')
    throw refusal
  } finally {
    clearTimeout(timer)
  }
}

const knownCodes: ReadonlySet<unknown> = new Set(Object.values(errorCodes))

/** An adapter's error with its own code, if clients know it; 141 otherwise, as in the older server. */
function asRefusal(error: unknown, unknown: string): CountersignError {
  if (error instanceof CountersignError) return error
  const { code, message } = (error !== null && typeof error === 'object' ? error : {}) as Record<string, unknown>
  const text = typeof error === 'string' ? error : message
  const sentence = typeof text === 'string' && text !== '' ? text.slice(0, longestSentence) : unknown
  // Clients retry after code 1.
  const isUsable = knownCodes.has(code) && code !== errorCodes.InternalServerError
  return new CountersignError(isUsable ? (code as number) : 'ScriptFailed', sentence, { cause: error })
}

/** Maximum bytes stored for one identity, or returned by its adapter. */
export const mostKept = 16_384

function readAnswer({ name }: Provider, answer: unknown): NonNullable<AdapterAnswer> {
  if (answer === null || typeof answer !== 'object') return {}
  const { response, save, doNotSave } = answer as NonNullable<AdapterAnswer>
  const isTree = save === undefined || (save !== null && typeof save === 'object' && !Array.isArray(save))
  if (!isTree || JSON.stringify([response ?? null, save ?? null]).length > mostKept) {
    throw new CountersignError('ScriptFailed', `The adapter of ${name} returned a value that cannot be stored.`)
  }
  return { ...(response !== undefined && { response }), ...(save && { save }), doNotSave: doNotSave === true }
}
