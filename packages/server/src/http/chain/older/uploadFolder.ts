import { CountersignError } from '@countersign/protocol'
import { z } from 'zod'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import { addToIpfs } from '../../../files/addToIpfs.ts'
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
  const parts = files.map((file) => ({ name: file.path, content: [readContent(file.content)] }))
  try {
    const folder = await addToIpfs(ipfs, parts, { inFolder: true })
    const at = `${ipfs.gateway.replace(/\/*$/, '/')}${folder}`
    return files.map((file) => ({ path: `${at}/${file.path.split('/').map(encodeURIComponent).join('/')}` }))
  } catch (cause) {
    context.log.warn({ err: cause }, 'a folder could not be pinned to IPFS')
    throw new CountersignError('FileSaveError', 'The folder could not be saved to IPFS. Try again later.', { cause })
  }
}

/** Base64, with or without what data URIs have before it, or JSON. */
function readContent(content: unknown): Buffer {
  if (typeof content !== 'string') return Buffer.from(JSON.stringify(content))
  return Buffer.from(content.replace(/^data:[^,]*;base64,/, ''), 'base64')
}
