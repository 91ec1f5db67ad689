import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { ValidationError } from '../errors/errors.ts'
import { createMutation } from '../readings/createMutation.ts'
import { createStore } from '../state/createStore.ts'
import type { StoredFile } from '../values/Document.ts'
import { loadWriting } from './loadWriting.ts'
import type { UploadFileInput } from './UploadFileInput.ts'

/**
 * Uploads a file as it is, without taking it into memory. Returns the value of a field: save it in an object or in the
 * user. A failed upload is not retried.
 *
 * @example
 * const picture = await uploadFile(client, { file: input.files[0], onProgress: (fraction) => console.log(fraction) })
 * await saveUser(client, { picture })
 */
export function uploadFile(
  client: Client,
  input: UploadFileInput,
  { signal }: ActionOptions = {},
): Promise<StoredFile> {
  return runAction(client, async () => {
    const { file } = input
    if (!(file instanceof Blob))
      throw new ValidationError('file can only be a File or a Blob', 'Pass a file of an input element.')
    const connection = requireConnection(client)
    // The file belongs to the user at the time of the click, not after loading.
    const credential = client.internal.current?.credential
    const { sendFile } = await loadWriting()
    return sendFile(client, input, { connection, credential, signal: signal })
  })
}

/** Uploads with the state of the latest one, and how far it is. */
export function createUpload(client: Client) {
  const progress = createStore(0)
  let latest = 0
  const mutation = createMutation<UploadFileInput, StoredFile>(client, 'upload', (client, input, callbacks) => {
    const call = ++latest
    progress.set(0)
    const onProgress = (fraction: number) => {
      if (call === latest) progress.set(fraction)
      input.onProgress?.(fraction)
    }
    return uploadFile(client, { ...input, onProgress }, callbacks)
  })
  return { ...mutation, progress }
}
