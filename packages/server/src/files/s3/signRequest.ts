import { createHash, createHmac } from 'node:crypto'

export type S3Keys = {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
  region: string
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Headers that sign a request to an S3 storage (AWS Signature Version 4): method, address, headers, and the content. */
export function signRequest(
  keys: S3Keys,
  { method, url, headers, body }: { method: string; url: URL; headers: Record<string, string>; body: Uint8Array },
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const digest = sha256(body)
  const sent: Record<string, string> = {
    ...headers,
    'x-amz-content-sha256': digest,
    'x-amz-date': time,
    ...(keys.sessionToken && { 'x-amz-security-token': keys.sessionToken }),
  }
  const signed = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const request = [
    method,
    canonicalPath(url),
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    digest,
  ].join('\n')
  const scope = `${day}/${keys.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n')
  const key = [keys.region, 's3', 'aws4_request'].reduce<Buffer>(
    (under, text) => hmac(under, text),
    hmac(`AWS4${keys.secretAccessKey}`, day),
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** RFC 3986 encodes more than `encodeURIComponent` does. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function canonicalPath(url: URL): string {
  return url.pathname
    .split('/')
    .map((part) => encodePart(decodeURIComponent(part)))
    .join('/')
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
    .sort()
    .join('&')
}
