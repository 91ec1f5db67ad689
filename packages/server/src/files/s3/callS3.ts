import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config/Config.ts'
import { encodePart, signRequest } from './signRequest.ts'

export type S3Settings = NonNullable<Config['files']['s3']>

export type S3Call = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  name: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer | undefined
  /** Answers besides a success that are no failure. */
  allow?: number[]
}

const tries = 4
const patience = 120_000

/** One signed request to the storage. A network failure or 5xx is tried again: each call may be repeated without harm. */
export async function callS3(settings: S3Settings, call: S3Call): Promise<Response> {
  const url = addressOf(settings, call)
  for (let tried = 1; ; tried++) {
    const signed = signRequest(
      settings,
      { method: call.method, url, headers: call.headers ?? {}, body: call.body ?? new Uint8Array() },
      new Date(),
    )
    const outcome = await fetchInTime(url, {
      method: call.method,
      headers: signed,
      redirect: 'error',
      ...(call.body && { body: viewOf(call.body) }),
    }).catch((cause: unknown) => new Error('The storage of files cannot be reached.', { cause }))
    const failed = outcome instanceof Error || outcome.status >= 500
    if (!failed && (outcome.ok || call.allow?.includes(outcome.status))) return outcome
    if (!failed || tried >= tries) throw outcome instanceof Error ? outcome : await refusal(call, outcome)
    if (outcome instanceof Response) await outcome.body?.cancel()
    await pause(100 * 2 ** tried * (0.5 + Math.random() / 2))
  }
}

/** Bounds the time until the answer begins; a large file may then take as long as its reader does. */
async function fetchInTime(url: URL, init: RequestInit): Promise<Response> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('no answer in time')), patience)
  return fetch(url, { ...init, signal: controller.signal }).finally(() => clearTimeout(timer))
}

/** The same bytes, in the one form that the types of `fetch` take. */
function viewOf({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** Path style with an endpoint of one's own, which every such storage understands. */
function addressOf({ endpoint, bucket, region, prefix }: S3Settings, { name, query }: S3Call): URL {
  const path = `${prefix}${name}`.split('/').map(encodePart).join('/')
  const url = endpoint
    ? new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/${path}`)
    : new URL(`https://${bucket}.s3.${region}.amazonaws.com/${path}`)
  for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
  return url
}

async function refusal({ method }: S3Call, response: Response): Promise<Error> {
  const [, code = 'no code'] = /<Code>([\w.]{1,100})<\/Code>/.exec(await response.text().catch(() => '')) ?? []
  return new Error(`The storage of files answered ${method} with ${response.status} (${code}).`)
}
