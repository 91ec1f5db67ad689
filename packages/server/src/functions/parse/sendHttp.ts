import type { WireValue } from '@countersign/protocol'

export type HttpOptions = {
  url: string
  method?: string
  headers?: { [name: string]: string }
  params?: string | { [name: string]: unknown }
  body?: unknown
  followRedirects?: boolean
  success?: (response: HttpAnswer) => void
  error?: (response: HttpAnswer) => void
}

export type HttpAnswer = {
  status: number
  headers: { [name: string]: string }
  buffer: Buffer
  text: string
  /** The body where it is JSON. */
  data: WireValue | undefined
}

/** Milliseconds; code that waits longer for somebody else is better off as a job. */
const patience = 30_000

/** `Cloud.httpRequest`: rejects with the answer where its status is not one of success. */
export async function sendHttp(options: HttpOptions): Promise<HttpAnswer> {
  const url = new URL(options.url)
  const params = new URLSearchParams(
    typeof options.params === 'string' ? options.params : flatten(options.params ?? {}),
  )
  for (const [name, value] of params) url.searchParams.append(name, value)
  const headers = new Headers(options.headers)
  const body = writeBody(options.body, headers)
  const response = await fetch(url, {
    method: options.method ?? 'GET',
    headers,
    redirect: options.followRedirects ? 'follow' : 'manual',
    signal: AbortSignal.timeout(patience),
    ...(body !== undefined && { body }),
  })
  const buffer = Buffer.from(await response.arrayBuffer())
  const text = buffer.toString('utf8')
  const answer: HttpAnswer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    buffer,
    text,
    data: readJson(text),
  }
  const isGood = response.status >= 200 && response.status < 400
  if (isGood) options.success?.(answer)
  else options.error?.(answer)
  if (!isGood) throw Object.assign(new Error(`Request failed with response code ${response.status}`), answer)
  return answer
}

function writeBody(body: unknown, headers: Headers): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  if (/json/i.test(headers.get('content-type') ?? '')) return JSON.stringify(body)
  headers.set('content-type', 'application/x-www-form-urlencoded')
  return new URLSearchParams(flatten(body as { [name: string]: unknown })).toString()
}

function flatten(values: { [name: string]: unknown }): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [
      name,
      typeof item === 'object' ? JSON.stringify(item) : String(item),
    ]),
  )
}

function readJson(text: string): WireValue | undefined {
  try {
    return JSON.parse(text) as WireValue
  } catch {
    return undefined
  }
}
