import { CountersignError, type LiveQueryText, type LiveRequest, type WireFields } from '@countersign/protocol'
import { parseJson } from '../../context/parseJson.ts'
import { checkKeys } from '../../hooks/checkKeys.ts'

/** Codes of error frames that have no other meaning than on this wire. */
export const frameCodes = { malformed: 1, unknownClient: 2, unknownOperation: 3, wrongKey: 4 } as const

type Given = { [name: string]: unknown }

const operations = new Set(['connect', 'subscribe', 'update', 'unsubscribe'])

/** The longest text that anything but a condition may have. */
const longest = 1000
/** A position names what was under way in the database, twice. */
const longestPosition = 20_000

/** What a message says, as far as it is the text of an object. Throws 107 where there is too much in it. */
export function parseFrame(data: Buffer, isBinary: boolean): Given | undefined {
  if (isBinary) return undefined
  try {
    const value: unknown = parseJson(data)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Given) : undefined
  } catch (error) {
    if (error instanceof CountersignError) throw error
    return undefined
  }
}

/** The number of the question that a message is about, which a refusal of the message names too. */
export function findRequestId(given: Given | undefined): number | undefined {
  if (given === undefined || given.op === 'connect') return undefined
  const { requestId } = given
  return typeof requestId === 'number' && Number.isSafeInteger(requestId) ? requestId : undefined
}

/** A message of a client, checked. Throws 1 where it is none, 3 where it asks for something that there is not. */
export function readFrame(given: Given | undefined): LiveRequest {
  if (given === undefined) return refuse('A message must be the text of a JSON object.')
  if (typeof given.op !== 'string') return refuse('A message must say in op what it wants.')
  if (!operations.has(given.op)) {
    throw new CountersignError(frameCodes.unknownOperation, 'Get unknown operation')
  }
  checkKeys(given as WireFields)
  if (given.op === 'connect') return readConnect(given)
  const requestId = findRequestId(given)
  if (requestId === undefined) return refuse('requestId must be a whole number.')
  if (given.op === 'unsubscribe') return { op: 'unsubscribe', requestId }
  return {
    op: given.op === 'update' ? 'update' : 'subscribe',
    requestId,
    query: readQuery(given.query),
    ...texts(given, 'sessionToken', 'from'),
  }
}

function readConnect(given: Given): LiveRequest {
  const { applicationId = '' } = texts(given, 'applicationId')
  const { features } = given
  return {
    op: 'connect',
    applicationId,
    ...texts(given, 'masterKey', 'javascriptKey', 'clientKey', 'restAPIKey', 'sessionToken', 'installationId'),
    ...(Array.isArray(features) && { features: features.filter((item) => typeof item === 'string').slice(0, 20) }),
  }
}

function readQuery(query: unknown): LiveQueryText {
  if (query === null || typeof query !== 'object' || Array.isArray(query)) return refuse('query must be an object.')
  const given = query as Given
  if (typeof given.className !== 'string' || given.className === '') return refuse('query.className must be a text.')
  const { where = {} } = given
  if (where === null || typeof where !== 'object' || Array.isArray(where))
    return refuse('query.where must be an object.')
  // `fields` is the name of `keys` in older clients.
  const keys = readNames(given.keys ?? given.fields, 'keys')
  const watch = readNames(given.watch, 'watch')
  return { className: given.className, where: where as WireFields, ...(keys && { keys }), ...(watch && { watch }) }
}

function readNames(value: unknown, name: string): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
    return refuse(`query.${name} must be a list of names.`)
  }
  return value.length > 0 ? [...new Set(value as string[])].sort() : undefined
}

/** P4: an object in the place of a credential is an attempt at an operator. */
function texts<Name extends string>(given: Given, ...names: Name[]): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = given[name]
    if (value === undefined || value === null || value === '') continue
    const most = name === 'from' ? longestPosition : longest
    if (typeof value !== 'string' || value.length > most)
      return refuse(`${name} must be a text of ${most} characters at most.`)
    found[name] = value
  }
  return found
}

function refuse(message: string): never {
  throw new CountersignError(frameCodes.malformed, message)
}
