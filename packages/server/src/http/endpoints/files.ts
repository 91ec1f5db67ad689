import type { WireValue } from '@countersign/protocol'
import { z } from 'zod'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { deleteFile } from '../../files/deleteFile.ts'
import { type Extras, readExtras } from '../../files/readExtras.ts'
import { saveFile } from '../../files/saveFile.ts'
import { tooLarge } from '../../files/storeContent.ts'
import { decodeContent, notBase64 } from '../cutOutContent.ts'
import { defineEndpoint, type Endpoint, type Sent } from '../Endpoint.ts'
import { type Body, readBody } from '../readBody.ts'
import { readContent } from '../readContent.ts'
import { readForm } from '../readForm.ts'

const upload = defineEndpoint('uploadFile', {
  takesFile: true,
  location: (output) => new URL((output as { url: string }).url).pathname.replace(/^.*(?=\/files\/)/, ''),
  handle: ({ context, caller, input, params, sent }) => {
    const { name }: { name?: string } = params
    return sent.stream
      ? saveStream(context, caller, name, sent, sent.stream)
      : saveBase64(context, caller, name, sent, input as Body)
  },
})

export const fileEndpoints: Endpoint[] = [
  upload,
  {
    ...upload,
    name: 'uploadNamedFile',
    path: '/files',
    params: z.object({}),
    summary: 'Keep a file of a form under the name that it has there.',
  },
  defineEndpoint('deleteFile', {
    handle: ({ context, params }) => deleteFile(context, params.name),
  }),
]

/** The older clients put the whole file into JSON. */
function saveBase64(context: Context, caller: Caller, name: string | undefined, sent: Sent, input: Body) {
  const { base64, fileData } = input
  const data = fileData !== null && typeof fileData === 'object' && !Array.isArray(fileData) ? (fileData as Body) : {}
  if (typeof base64 !== 'string') throw notBase64()
  return saveFile(context, caller, {
    name,
    type: sent.fileType,
    content: decodeContent(sent.base64 ?? Buffer.from(base64)),
    maxSize: context.config.maxUploadSize,
    extras: () => readExtras(data),
  })
}

async function saveStream(
  context: Context,
  caller: Caller,
  name: string | undefined,
  { headers }: Sent,
  stream: NonNullable<Sent['stream']>,
) {
  const maxSize = context.config.files.maxStreamSize
  const type = headers['content-type']
  const isForm = /^multipart\/form-data/i.test(type ?? '')
  // A form has lines of its own around the file.
  if (Number(headers['content-length']) > maxSize + (isForm ? 1_000_000 : 0)) throw tooLarge(maxSize)
  if (!isForm) {
    return saveFile(context, caller, {
      name,
      // Sent by clients that were told nothing.
      type: type === 'application/x-www-form-urlencoded' ? undefined : type,
      content: readContent(stream),
      maxSize,
      extras: () => readTexts(textOf(headers['x-parse-file-metadata']), textOf(headers['x-parse-file-tags'])),
    })
  }
  const file = await readForm(stream, headers)
  return saveFile(context, caller, {
    name: name ?? file.name,
    type: file.type,
    content: file.content,
    maxSize,
    extras: () => readTexts(file.fields.get('metadata'), file.fields.get('tags'), file.fields.get('ipfs') === 'true'),
  })
}

/** What stands as JSON in fields of a form, or in headers. */
function readTexts(metadata: string | undefined, tags: string | undefined, ipfs = false): Extras {
  const read = (text: string | undefined): WireValue => (text ? readBody(Buffer.from(text), undefined) : {})
  return readExtras({ metadata: read(metadata), tags: read(tags), ipfs })
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
