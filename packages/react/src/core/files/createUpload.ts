import type { Client } from '../Client.ts'
import { createMutation } from '../createMutation.ts'
import { createStore } from '../createStore.ts'
import type { StoredFile } from '../documents/values/FieldTypes.ts'
import type { UploadFileInput } from './UploadFileInput.ts'
import { uploadFile } from './uploadFile.ts'

/** Uploads with the state of the latest one, and how far it is. */
export function createUpload(client: Client) {
  const progress = createStore(0)
  let latest = 0
  const mutation = createMutation<UploadFileInput, StoredFile>(client, (client, input, callbacks) => {
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
