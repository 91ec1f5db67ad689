import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Storage = {
  url: string
  objects: Map<string, Buffer>
  /** Uploads in parts that are neither finished nor given up. */
  open: Map<string, Map<number, Buffer>>
  calls: string[]
  /** Responds with 503 to so many of the next requests. */
  fail(times: number): void
  stop(): Promise<void>
}

/** A storage that speaks as S3 does, and carries out nothing that is not signed with the right key. */
export async function startStorage(keys: { accessKeyId: string; secretAccessKey: string }): Promise<Storage> {
  const objects: Storage['objects'] = new Map()
  const open: Storage['open'] = new Map()
  const calls: string[] = []
  let failures = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '', 'http://storage')
    const name = decodeURIComponent(url.pathname)
    const query = url.searchParams
    calls.push(`${request.method} ${name}${query.has('partNumber') ? ` part ${query.get('partNumber')}` : ''}`)
    const answer = (status: number, text: string | Buffer = '', headers = {}) => {
      response.writeHead(status, headers)
      response.end(text)
    }
    if (failures > 0) {
      failures--
      return answer(503, '<Error><Code>SlowDown</Code></Error>')
    }
    if (!isSigned(keys, request, body)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const parts = open.get(query.get('uploadId') ?? '')
    if (request.method === 'POST' && query.has('uploads')) {
      const id = `${open.size + 1}+/=`
      open.set(id, new Map())
      return answer(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (query.has('uploadId') && !parts) return answer(404, '<Error><Code>NoSuchUpload</Code></Error>')
    const mark = createHash('md5').update(body).digest('hex')
    if (request.method === 'PUT') {
      if (parts) parts.set(Number(query.get('partNumber')), body)
      else objects.set(name, body)
      return answer(200, '', { ETag: `"${mark}"` })
    }
    if (request.method === 'POST' && parts) {
      const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
      const found = wanted.map(([, number, etag]) => {
        const part = parts.get(Number(number))
        return part && createHash('md5').update(part).digest('hex') === etag?.replaceAll('&#34;', '') ? part : undefined
      })
      if (found.length !== parts.size || found.includes(undefined))
        return answer(200, '<Error><Code>InvalidPart</Code></Error>')
      objects.set(name, Buffer.concat(found as Buffer[]))
      open.delete(query.get('uploadId') ?? '')
      return answer(200, '<CompleteMultipartUploadResult/>')
    }
    if (request.method === 'DELETE') {
      if (parts) open.delete(query.get('uploadId') ?? '')
      else objects.delete(name)
      return answer(204)
    }
    const object = objects.get(name)
    if (!object) return answer(404, '<Error><Code>NoSuchKey</Code></Error>')
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    return answer(206, object.subarray(Number(start), Number(end) + 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    open,
    calls,
    fail: (times) => {
      failures = times
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The other side of Signature Version 4: put together from the request as it came over the wire. */
function isSigned(
  keys: { accessKeyId: string; secretAccessKey: string },
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=(.+?)\/(\d{8})\/(.+?)\/s3\/aws4_request, SignedHeaders=(.+?), Signature=(\w+)$/
  const [, id, day = '', region = '', names = '', signature] = found.exec(headers.authorization ?? '') ?? []
  const digest = createHash('sha256').update(body).digest('hex')
  if (id !== keys.accessKeyId || headers['x-amz-content-sha256'] !== digest) return false
  if (!names.split(';').includes('host') || !names.split(';').includes('x-amz-date')) return false
  const [path, search = ''] = url.split('?')
  const query = search === '' ? [] : search.split('&').map((part) => (part.includes('=') ? part : `${part}=`))
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const request = [method, path, query.sort().join('&'), lines.join(''), names, digest].join('\n')
  const time = String(headers['x-amz-date'])
  const scope = [day, region, 's3', 'aws4_request'].join('/')
  const hashed = createHash('sha256').update(request).digest('hex')
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = sign(sign(sign(sign(`AWS4${keys.secretAccessKey}`, day), region), 's3'), 'aws4_request')
  return sign(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hashed}`).toString('hex') === signature
}
