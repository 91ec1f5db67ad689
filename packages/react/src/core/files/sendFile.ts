import { errorCodes } from '@countersign/protocol'
import { buildRequest } from '../buildRequest.ts'
import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import type { StoredFile } from '../documents/values/FieldTypes.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import type { Credential } from '../session/CurrentSession.ts'
import { endSession } from '../session/endSession.ts'
import { fileName } from './fileName.ts'
import { sendForm } from './sendForm.ts'
import type { UploadFileInput } from './UploadFileInput.ts'

type Sender = { connection: Connection; credential: Credential | undefined; signal: AbortSignal | undefined }

/** Sends one file as a form. */
export async function sendFile(
  client: Client,
  input: UploadFileInput,
  { connection, credential, signal }: Sender,
): Promise<StoredFile> {
  const { file, onProgress } = input
  const name = fileName(input.name ?? ('name' in file && typeof file.name === 'string' ? file.name : 'file'))
  const { url, init } = buildRequest(connection, 'uploadFile', { name }, credential)
  try {
    const answer = await sendForm(client.internal.options, url, init, writeForm(input, name), { onProgress, signal })
    return { __type: 'File', ...(answer as { name: string; url: string }) }
  } catch (cause) {
    const error = toCountersignError(cause)
    if (credential && error.code === errorCodes.InvalidSessionToken) endSession(client, credential)
    throw error
  }
}

function writeForm({ file, metadata, tags, ipfs }: UploadFileInput, name: string): FormData {
  const form = new FormData()
  if (metadata) form.append('metadata', JSON.stringify(metadata))
  if (tags) form.append('tags', JSON.stringify(tags))
  if (ipfs) form.append('ipfs', 'true')
  form.append('file', file, name)
  return form
}
