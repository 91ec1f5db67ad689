import { randomBytes } from 'node:crypto'
import { CountersignError } from '@countersign/protocol'
import { z } from 'zod'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import { checkUploader } from '../../../files/checkUploader.ts'
import type { Body } from '../../readBody.ts'
import { readInput } from '../readInput.ts'

const path = z
  .string()
  .min(1)
  .max(250)
  .refine(
    (text) =>
      text.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\p{Cc}\\]/u.test(text),
    'must be the path of a file within the folder, such as images/1.png',
  )
const entries = z
  .array(z.object({ path, content: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]) }))
  .min(1)
  .max(1_000)

/** The documents of the client call it `abi`, its code `data`. */
export const folderSchema = z.object({ abi: entries.optional(), data: entries.optional() })

/** Adds files to IPFS as one folder and pins it, by the node that the operator configured. */
export async function uploadFolder(context: Context, caller: Caller, body: Body): Promise<{ path: string }[]> {
  await checkUploader(context, caller)
  const { ipfs } = context.config
  if (!ipfs)
    throw new CountersignError(
      'CommandUnavailable',
      'uploadFolder is not available here: no IPFS node is configured.',
      {
        details: 'The operator names one by the setting ipfs.url.',
      },
    )
  const { abi, data } = readInput(folderSchema, body)
  const files = abi ?? data
  if (!files) throw new CountersignError('InvalidValue', 'param abi is required!')
  if (new Set(files.map((file) => file.path)).size !== files.length)
    throw new CountersignError('InvalidValue', 'Each path may be there once.')
  const boundary = `countersign-${randomBytes(16).toString('hex')}`
  const url = `${ipfs.url.replace(/\/+$/, '')}/api/v0/add?pin=true&cid-version=1&wrap-with-directory=true`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        ...(ipfs.authorization && { Authorization: ipfs.authorization }),
      },
      body: new Uint8Array(writeForm(files, boundary)),
      redirect: 'error',
      signal: AbortSignal.timeout(ipfs.timeout * 1000),
    })
    if (!response.ok) throw new Error(`The node answered ${response.status}.`)
    const folder = readFolder(await response.text())
    const at = `${ipfs.gateway.replace(/\/*$/, '/')}${folder}`
    return files.map((file) => ({ path: `${at}/${file.path.split('/').map(encodeURIComponent).join('/')}` }))
  } catch (cause) {
    context.log.warn({ err: cause }, 'a folder could not be pinned to IPFS')
    throw new CountersignError('FileSaveError', 'The folder could not be saved to IPFS. Try again later.', { cause })
  }
}

function writeForm(files: z.output<typeof entries>, boundary: string): Buffer {
  const parts = files.flatMap((file) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${encodeURIComponent(file.path)}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    readContent(file.content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

/** Base64, with or without what data URIs have before it, or JSON. */
function readContent(content: unknown): Buffer {
  if (typeof content !== 'string') return Buffer.from(JSON.stringify(content))
  return Buffer.from(content.replace(/^data:[^,]*;base64,/, ''), 'base64')
}

/** The node answers a line of JSON for each thing that it added; the folder is the one without a name. */
function readFolder(text: string): string {
  for (const line of text.trim().split('\n').reverse()) {
    const { Name, Hash } = JSON.parse(line) as { Name?: unknown; Hash?: unknown }
    if (Name === '' && typeof Hash === 'string' && /^[A-Za-z0-9]{10,120}$/.test(Hash)) return Hash
  }
  throw new Error('The node gave no id of the folder.')
}
