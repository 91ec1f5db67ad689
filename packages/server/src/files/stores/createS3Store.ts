import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config/Config.ts'
import { readLimited } from '../../network/readLimited.ts'
import { cutContent, type FileStore } from './FileStore.ts'

const tries = 4

const patience = 120_000

/** The storage takes 10,000 parts of 5 MiB at least: enough for 80 GiB, with one part of it in memory. */
const partSize = 8 * 1024 * 1024

type Part = { number: number; etag: string }

/** Files in S3 or a compatible storage. Small content is one request; more is a multipart upload. */
export function createS3Store(settings: S3Settings): FileStore {
  return {
    async write(name, content) {
      const pieces = cutContent(content, partSize)
      const first = await pieces.next()
      const beginning = first.done ? Buffer.alloc(0) : first.value
      if (beginning.length < partSize) {
        await drain(await callS3(settings, { method: 'PUT', name, body: beginning }))
        return
      }
      const uploadId = await begin(name)
      try {
        const parts = [await sendPart(name, uploadId, 1, beginning)]
        for await (const piece of pieces) parts.push(await sendPart(name, uploadId, parts.length + 1, piece))
        await finish(name, uploadId, parts)
      } catch (error) {
        // Parts that nobody puts together are paid for until they are taken away.
        await callS3(settings, { method: 'DELETE', name, query: { uploadId }, allow: [404] }).then(drain, () => {})
        throw error
      }
    },
    async *read(name, { start, end }) {
      if (end < start) return
      const response = await callS3(settings, { method: 'GET', name, headers: { range: `bytes=${start}-${end}` } })
      if (!response.body) return
      yield* response.body
    },
    async remove(name) {
      await drain(await callS3(settings, { method: 'DELETE', name, allow: [404] }))
    },
  }

  async function begin(name: string): Promise<string> {
    const answer = await readText(await callS3(settings, { method: 'POST', name, query: { uploads: '' } }))
    const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(answer) ?? []
    if (!uploadId) throw new Error('The file storage returned no upload ID.')
    return uploadId
  }

  async function sendPart(name: string, uploadId: string, number: number, body: Buffer): Promise<Part> {
    const query = { partNumber: String(number), uploadId }
    const response = await drain(await callS3(settings, { method: 'PUT', name, query, body }))
    const etag = response.headers.get('etag')
    if (!etag) throw new Error('The file storage returned no ETag for a part.')
    return { number, etag }
  }

  async function finish(name: string, uploadId: string, parts: Part[]): Promise<void> {
    const list = parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
    const response = await callS3(settings, { method: 'POST', name, query: { uploadId }, body })
    // This one call returns 200 before its result is known.
    const answer = await readText(response)
    if (answer.includes('<Error>')) throw new Error('The file storage could not complete the multipart upload.')
  }
}

/** Longest response that is no content of a file. */
const mostBytes = 1024 * 1024

const readText = async (response: Response) => (await readLimited(response.body, mostBytes)).toString('utf8')

/** Reads the whole response, so that the connection can be reused. */
async function drain(response: Response): Promise<Response> {
  await readLimited(response.body, mostBytes)
  return response
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

type S3Settings = NonNullable<Config['files']['s3']>

type S3Call = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  name: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer | undefined
  /** Statuses besides success that are no failure. */
  allow?: number[]
}

/** One signed request to the storage. A network failure or 5xx is tried again: each call may be repeated without harm. */
async function callS3(settings: S3Settings, call: S3Call): Promise<Response> {
  const url = addressOf(settings, call)
  for (let tried = 1; ; tried++) {
    const signed = await signRequest(
      settings,
      { method: call.method, url, headers: call.headers ?? {}, body: call.body ?? new Uint8Array() },
      new Date(),
    )
    const outcome = await fetchInTime(url, {
      method: call.method,
      headers: signed,
      redirect: 'error',
      ...(call.body && { body: viewOf(call.body) }),
    }).catch((cause: unknown) => new Error('The file storage cannot be reached.', { cause }))
    const failed = outcome instanceof Error || outcome.status >= 500
    if (!failed && (outcome.ok || call.allow?.includes(outcome.status))) return outcome
    if (!failed || tried >= tries) throw outcome instanceof Error ? outcome : await refusal(call, outcome)
    if (outcome instanceof Response) await outcome.body?.cancel()
    await pause(100 * 2 ** tried * (0.5 + Math.random() / 2))
  }
}

/** Limits the time until the response begins; a large file may then take as long as its reader does. */
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
  const [, code = 'no code'] = /<Code>([\w.]{1,100})<\/Code>/.exec(await readText(response).catch(() => '')) ?? []
  return new Error(`The file storage responded to ${method} with ${response.status} (${code}).`)
}

type S3Keys = {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
  region: string
}

/** Headers that sign a request to an S3 storage (AWS Signature Version 4): method, address, headers, and the content. */
export async function signRequest(
  { accessKeyId, secretAccessKey, sessionToken, region }: S3Keys,
  { method, url, headers, body }: { method: string; url: URL; headers: Record<string, string>; body: Uint8Array },
  now: Date,
): Promise<Headers> {
  // Loaded with its first use: most servers keep files elsewhere.
  const { AwsV4Signer } = await import('aws4fetch')
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, accessKeyId, secretAccessKey, region, service: 's3', allHeaders: true },
    ...(sessionToken && { sessionToken }),
    headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    datetime: now.toISOString().replace(/[-:]|\.\d{3}/g, ''),
  })
  return (await signer.sign()).headers
}

/** RFC 3986 encodes more than `encodeURIComponent` does. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
