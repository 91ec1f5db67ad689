import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { CountersignError, type WireValue } from '@countersign/protocol'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import type { Answers, Body, Endpoint, Sent } from '../endpoint/Endpoint.ts'
import { type Extras, readExtras, type Saved, saveFile, type Upload } from '../files/saveFile.ts'
import { tooLarge } from '../files/storeContent.ts'
import { decodeContent, notBase64 } from './request/cutOutContent.ts'
import { readBody } from './request/readBody.ts'

export const uploadFileEndpoint = defineEndpoint('uploadFile', {
  takesFile: true,
  location: (output) => new URL((output as { url: string }).url).pathname.replace(/^.*(?=\/files\/)/, ''),
  async handle({ context, caller, input, params, sent, answers }) {
    const { name }: { name?: string } = params
    const upload = sent.stream
      ? await readStream(context, name, sent, sent.stream)
      : readBase64(context, name, sent, input as Body)
    return answers ? saveOnce(context, caller, upload, answers) : saveFile(context, caller, upload)
  },
})

const unreadable = 'The form cannot be read.'

export const uploadNamedFileEndpoint: Endpoint = {
  ...uploadFileEndpoint,
  name: 'uploadNamedFile',
  path: '/files',
  params: z.object({}),
  summary: 'Upload a file of a form under its own name.',
}

/** Saves a file for the first of equal requests. The others read their content only to compare it. */
async function saveOnce(context: Context, caller: Caller, upload: Upload, answers: Answers): Promise<Saved> {
  const earlier = (await answers.find()) as Saved | undefined
  if (earlier) {
    const digest = await digestOf(upload)
    const [differs] = await context.db.query(sql`
      select from countersign.files where name = ${earlier.name} and digest <> ${digest}`)
    if (!differs) return earlier
    throw new CountersignError('DuplicateRequest', 'This request id was used for another file.')
  }
  try {
    return await saveFile(context, caller, { ...upload, keep: answers.keep })
  } catch (error) {
    const meanwhile = await answers.find()
    if (meanwhile) return meanwhile as Saved
    throw error
  }
}

async function digestOf({ content, maxSize }: Upload): Promise<Buffer> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxSize) throw tooLarge(maxSize)
    hash.update(chunk)
  }
  return hash.digest()
}

/** The older clients put the whole file into JSON. */
function readBase64(context: Context, name: string | undefined, sent: Sent, input: Body): Upload {
  const { base64, fileData } = input
  const data = fileData !== null && typeof fileData === 'object' && !Array.isArray(fileData) ? (fileData as Body) : {}
  if (typeof base64 !== 'string') throw notBase64()
  return {
    name,
    type: sent.fileType,
    content: decodeContent(sent.base64 ?? Buffer.from(base64)),
    maxSize: context.config.maxUploadSize,
    extras: () => readExtras(data),
  }
}

async function readStream(
  context: Context,
  name: string | undefined,
  { headers }: Sent,
  stream: NonNullable<Sent['stream']>,
): Promise<Upload> {
  const maxSize = context.config.files.maxStreamSize
  const type = headers['content-type']
  const isForm = /^multipart\/form-data/i.test(type ?? '')
  // A form has lines of its own around the file.
  if (Number(headers['content-length']) > maxSize + (isForm ? 1_000_000 : 0)) throw tooLarge(maxSize)
  if (!isForm) {
    return {
      name,
      // Sent by clients that got no response.
      type: type === 'application/x-www-form-urlencoded' ? undefined : type,
      content: readContent(stream),
      maxSize,
      extras: () => readTexts(textOf(headers['x-parse-file-metadata']), textOf(headers['x-parse-file-tags'])),
    }
  }
  const file = await readForm(stream, headers)
  return {
    name: name ?? file.name,
    type: file.type,
    content: file.content,
    maxSize,
    extras: () => readTexts(file.fields.get('metadata'), file.fields.get('tags'), file.fields.get('ipfs') === 'true'),
  }
}

/** Reads JSON from form fields or headers. */
function readTexts(metadata: string | undefined, tags: string | undefined, ipfs = false): Extras {
  const read = (text: string | undefined): WireValue => (text ? readBody(Buffer.from(text), undefined) : {})
  return readExtras({ metadata: read(metadata), tags: read(tags), ipfs })
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

type FormFile = {
  /** The name that the sender's own file has. */
  name: string | undefined
  type: string
  content: AsyncIterable<Buffer>
  /** The other fields, once the content was read: they may stand behind it. */
  fields: ReadonlyMap<string, string>
}

/** The one file of a form (multipart/form-data), as it comes in. */
async function readForm(body: Readable, headers: IncomingHttpHeaders): Promise<FormFile> {
  const form = open(headers)
  const fields = new Map<string, string>()
  let failure: Error | undefined
  form.on('field', (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
    if (valueCut) failure ??= refusal(`The field ${name.slice(0, 50)} of the form is too long.`)
    fields.set(name, value)
  })
  form.on('filesLimit', () => {
    failure ??= refusal('A form can contain only one file.')
  })
  for (const limit of ['partsLimit', 'fieldsLimit']) {
    form.on(limit, () => {
      failure ??= refusal('The form has too many fields.')
    })
  }
  const ended = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve)
    form.on('error', () => reject(refusal(unreadable)))
    // Piping hands on the content, but not that the sender went away in the middle of it.
    body.on('close', () => {
      if (!body.readableEnded) reject(refusal('The upload was interrupted.'))
    })
  })
  ended.catch(() => {})
  const file = new Promise<FormFile>((resolve) => {
    form.on('file', (_field: string, stream: Readable, name: string | undefined, _encoding: string, type: string) => {
      stream.on('error', () => {})
      resolve({ name, type, fields, content: readFile(stream) })
    })
  })
  body.pipe(form)
  return Promise.race([file, ended.then(() => Promise.reject(failure ?? refusal('The form contains no file.')))])

  async function* readFile(stream: Readable): AsyncGenerator<Buffer> {
    ended.catch((error: Error) => stream.destroy(error))
    try {
      yield* readContent(stream, unreadable)
      await ended
      if (failure) throw failure
    } finally {
      // A client that leaves early must not leave the form waiting for a reader.
      stream.resume()
    }
  }
}

function open(headers: IncomingHttpHeaders) {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { files: 1, fields: 10, parts: 12, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 50 },
    })
  } catch {
    throw refusal('The form cannot be read: its content type has no boundary.')
  }
}

function refusal(message: string): CountersignError {
  return new CountersignError('FileSaveError', message)
}

/** Reads content chunk by chunk. Leaving early keeps the connection open, because the response needs it. */
async function* readContent(stream: Readable, failure = 'The upload was interrupted.'): AsyncGenerator<Buffer> {
  try {
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause
    throw new CountersignError('FileSaveError', failure, { cause })
  }
}
