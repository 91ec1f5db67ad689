import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { StoredFile } from '../documents/values/FieldTypes.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { loadWriting } from '../loadWriting.ts'
import { requireConnection } from '../requireConnection.ts'
import { runAction } from '../runAction.ts'
import type { UploadFileInput } from './UploadFileInput.ts'

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
    // Whose file it is, is settled by the click and not by what is loaded after it.
    const credential = client.internal.current?.credential
    const { sendFile } = await loadWriting()
    return sendFile(client, input, { connection, credential, signal: callbacks.signal })
  })
}
