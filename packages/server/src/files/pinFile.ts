import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { StoredFile } from './StoredFile.ts'
import { getStore } from './stores/getStore.ts'

/** Adds a file to IPFS and pins it there, by the node that the operator configured; answers its content id. */
export async function pinFile(context: Context, file: StoredFile): Promise<string> {
  const { config, log } = context
  const { ipfs } = config
  if (!ipfs) {
    throw new CountersignError('FileSaveError', 'This server is not set up to save to IPFS.', {
      details: 'The operator names a node by the setting ipfs.url.',
    })
  }
  const boundary = `countersign-${randomBytes(16).toString('hex')}`
  const url = `${ipfs.url.replace(/\/+$/, '')}/api/v0/add?pin=true&cid-version=1`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        ...(ipfs.authorization && { Authorization: ipfs.authorization }),
      },
      body: Readable.toWeb(Readable.from(writeForm(context, file, boundary))) as ReadableStream,
      duplex: 'half',
      redirect: 'error',
      signal: AbortSignal.timeout(ipfs.timeout * 1000),
    } as RequestInit)
    const text = await response.text()
    if (!response.ok) throw new Error(`The node answered ${response.status}.`)
    return readHash(text)
  } catch (cause) {
    log.warn({ err: cause, file: file.name }, 'a file could not be pinned to IPFS')
    throw new CountersignError('FileSaveError', 'The file could not be saved to IPFS. Try again later.', { cause })
  }
}

async function* writeForm(context: Context, file: StoredFile, boundary: string): AsyncGenerator<Uint8Array> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n`
  yield Buffer.from(`${head}Content-Type: application/octet-stream\r\n\r\n`)
  yield* getStore(context, file.store).read(file.name, { start: 0, end: file.size - 1 })
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

/** The node answers a line of JSON for each thing that it added; the last is the file. */
function readHash(text: string): string {
  const last: unknown = JSON.parse(text.trim().split('\n').at(-1) ?? '')
  const hash = last !== null && typeof last === 'object' && 'Hash' in last ? last.Hash : undefined
  if (typeof hash !== 'string' || !/^[A-Za-z0-9]{10,120}$/.test(hash)) throw new Error('The node gave no content id.')
  return hash
}
