import { errorCodes } from '@countersign/protocol'
import { buildRequest } from '../buildRequest.ts'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { StoredFile } from '../documents/values/FieldTypes.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { requireConnection } from '../requireConnection.ts'
import { runAction } from '../runAction.ts'
import { endSession } from '../session/endSession.ts'
import { fileName } from './fileName.ts'
import { sendForm } from './sendForm.ts'

export type UploadFileInput = {
  readonly file: Blob
  /** Unless given, the file's own. Signs that the server does not take are replaced. */
  readonly name?: string
  readonly metadata?: { readonly [name: string]: string | number | boolean | null }
  readonly tags?: { readonly [name: string]: string }
  /** Pins the file to IPFS as well, where the server is set up for it. */
  readonly ipfs?: boolean
  /** Told how much has been sent, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

/**
 * Uploads a file as it is, without taking it into memory. The answer is the value of a field: save it in an object or
 * in the user. An upload that fails is not repeated by itself.
 *
 * @example
 * const picture = await uploadFile(client, { file: input.files[0], onProgress: (fraction) => console.log(fraction) })
 * await saveUser(client, { picture })
 */
export function uploadFile(
  client: Client,
  input: UploadFileInput,
  callbacks: Callbacks<StoredFile> = {},
): Promise<StoredFile | undefined> {
  return runAction(client, callbacks, async () => {
    const { file } = input
    if (!(file instanceof Blob))
      throw new ValidationError('file can only be a File or a Blob', 'Give what the input holds.')
    const connection = requireConnection(client)
    const { options, current } = client.internal
    const credential = current?.credential
    const name = fileName(input.name ?? ('name' in file && typeof file.name === 'string' ? file.name : 'file'))
    const { url, init } = buildRequest(connection, 'uploadFile', { name }, credential)
    try {
      const answer = await sendForm(options, url, init, writeForm(input, name), {
        onProgress: input.onProgress,
        signal: callbacks.signal,
      })
      return { __type: 'File', ...(answer as { name: string; url: string }) }
    } catch (cause) {
      const error = toCountersignError(cause)
      if (credential && error.code === errorCodes.InvalidSessionToken) endSession(client, credential)
      throw error
    }
  })
}

function writeForm({ file, metadata, tags, ipfs }: UploadFileInput, name: string): FormData {
  const form = new FormData()
  if (metadata) form.append('metadata', JSON.stringify(metadata))
  if (tags) form.append('tags', JSON.stringify(tags))
  if (ipfs) form.append('ipfs', 'true')
  form.append('file', file, name)
  return form
}
