import type { Client } from '../client/Client.ts'
import type { UploadFileInput } from '../documents/UploadFileInput.ts'
import type { StoredFile } from '../values/Document.ts'
import { offlineOf } from './offline.ts'

/**
 * Runs a function of the application as soon as the server can be reached. It has to be named in `functions`. Resolves
 * once the call is on the device.
 *
 * @example
 * import { queueFunction } from '@countersign/react/offline'
 *
 * await queueFunction(client, 'vote', { movie: 'Alien' })
 */
export function queueFunction(client: Client, name: string, input?: object): Promise<void> {
  return offlineOf(client).call(name, input)
}

/**
 * Uploads a file as soon as the server can be reached. Returns the value of a field at once: saves with it wait for the
 * upload.
 *
 * @example
 * import { queueUpload } from '@countersign/react/offline'
 *
 * const picture = await queueUpload(client, { file: input.files[0] })
 * await saveUser(client, { picture })
 */
export function queueUpload(client: Client, input: UploadFileInput): Promise<StoredFile> {
  return offlineOf(client).upload(input)
}
