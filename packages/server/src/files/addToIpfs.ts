import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Config } from '../config/Config.ts'
import { readLimited } from '../network/readLimited.ts'

type Part = { name: string; content: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }

/** Longest response of the node: a line for each file of a folder. */
const mostBytes = 4 * 1024 * 1024

/** Adds files to IPFS and pins them, by the operator's node; returns the content id of the last, or of the folder. */
export async function addToIpfs(
  ipfs: NonNullable<Config['ipfs']>,
  parts: readonly Part[],
  { inFolder = false } = {},
): Promise<string> {
  const boundary = `countersign-${randomBytes(16).toString('hex')}`
  const wrap = inFolder ? '&wrap-with-directory=true' : ''
  const response = await fetch(`${ipfs.url.replace(/\/+$/, '')}/api/v0/add?pin=true&cid-version=1${wrap}`, {
    method: 'POST',
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      ...(ipfs.authorization && { Authorization: ipfs.authorization }),
    },
    body: Readable.toWeb(Readable.from(writeForm(parts, boundary))) as ReadableStream,
    duplex: 'half',
    redirect: 'error',
    signal: AbortSignal.timeout(ipfs.timeout * 1000),
  } as RequestInit)
  const text = (await readLimited(response.body, mostBytes)).toString('utf8')
  if (!response.ok) throw new Error(`The node responded with ${response.status}.`)
  return readHash(text, inFolder)
}

/** Reads the node's response: a line of JSON for each added item; the folder around all is the one without a name. */
function readHash(text: string, inFolder: boolean): string {
  const added = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { Name?: unknown; Hash?: unknown } | null)
  const hash = added.findLast((each) => !inFolder || each?.Name === '')?.Hash
  if (typeof hash !== 'string' || !/^[A-Za-z0-9]{10,120}$/.test(hash))
    throw new Error('The node returned no content ID.')
  return hash
}

async function* writeForm(parts: readonly Part[], boundary: string): AsyncGenerator<Uint8Array> {
  for (const { name, content } of parts) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${encodeURIComponent(name)}"\r\n`
    yield Buffer.from(`${head}Content-Type: application/octet-stream\r\n\r\n`)
    yield* content
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${boundary}--\r\n`)
}
