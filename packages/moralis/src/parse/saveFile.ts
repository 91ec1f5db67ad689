import { CountersignError } from '@countersign/protocol'
import {
  type Client,
  type StoredFile,
  type UploadFileInput,
  uploadFile,
  ValidationError,
} from '@countersign/react/core'
import type { FileData } from './MoralisFile.ts'

type Saving = Omit<UploadFileInput, 'file'> & { readonly data: FileData | undefined; readonly type: string | undefined }

/** Uploads the file forms of the older SDK. */
export async function saveFile(client: Client, { data, type, ...rest }: Saving): Promise<StoredFile> {
  const file = await toBlob(data, type)
  const stored = await uploadFile(client, { ...rest, file })
  if (!stored) throw new CountersignError('FileSaveError', 'The server returned no data about the file.')
  return stored
}

/** The content in base64. */
export async function readFileText(data: FileData, type: string | undefined): Promise<string> {
  const bytes = new Uint8Array(await (await toBlob(data, type)).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

async function toBlob(data: FileData | undefined, type: string | undefined): Promise<Blob> {
  if (data instanceof Blob) return type ? new Blob([data], { type }) : data
  if (Array.isArray(data)) return new Blob([Uint8Array.from(data as number[])], { ...(type && { type }) })
  if (data && 'base64' in data) return decode(data.base64, type)
  if (data && 'uri' in data) return (await fetch(data.uri)).blob()
  throw new ValidationError(
    'Cannot create a Parse.File with that data.',
    'Pass a File or Blob, an array of bytes, { base64 } or { uri }.',
  )
}

function decode(text: string, type: string | undefined): Blob {
  const [, named, body = ''] = text.match(/^(?:data:([^;,]*)[^,]*,)?(.*)$/s) ?? []
  const known = type ?? named
  return new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { ...(known && { type: known }) })
}
