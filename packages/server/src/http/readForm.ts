import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { CountersignError } from '@countersign/protocol'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { readContent } from './readContent.ts'

export type FormFile = {
  /** The name that the sender's own file has. */
  name: string | undefined
  type: string
  content: AsyncIterable<Buffer>
  /** The other fields, once the content was read: they may stand behind it. */
  fields: ReadonlyMap<string, string>
}

const unreadable = 'The form cannot be read.'

/** The one file of a form (multipart/form-data), as it comes in. */
export async function readForm(body: Readable, headers: IncomingHttpHeaders): Promise<FormFile> {
  const form = open(headers)
  const fields = new Map<string, string>()
  let failure: Error | undefined
  form.on('field', (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
    if (valueCut) failure ??= refusal(`The field ${name.slice(0, 50)} of the form is too long.`)
    fields.set(name, value)
  })
  form.on('filesLimit', () => {
    failure ??= refusal('A form may hold one file.')
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
  return Promise.race([file, ended.then(() => Promise.reject(failure ?? refusal('The form holds no file.')))])

  async function* readFile(stream: Readable): AsyncGenerator<Buffer> {
    ended.catch((error: Error) => stream.destroy(error))
    try {
      yield* readContent(stream, unreadable)
      await ended
      if (failure) throw failure
    } finally {
      // Whoever leaves early must not leave the form waiting for a reader.
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
    throw refusal('The form cannot be read: its content type names no boundary.')
  }
}

function refusal(message: string): CountersignError {
  return new CountersignError('FileSaveError', message)
}
