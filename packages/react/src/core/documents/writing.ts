import { errorCodes, type WireFields, type WireValue } from '@countersign/protocol'
import type { Client, Connection, Credential } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { toCountersignError } from '../errors/errors.ts'
import { buildRequest } from '../http/sendRequest.ts'
import { endSession, selectFields, updateCurrent } from '../session/currentSession.ts'
import { refreshRecord } from '../session/refreshRecord.ts'
import { renewCredential, renewing } from '../session/renewCredential.ts'
import { request } from '../session/request.ts'
import type { StoredFile } from '../values/Document.ts'
import { readRecord, type UserFields } from '../values/decode.ts'
import { isOperation } from '../values/encode.ts'
import { isEqual } from '../values/isEqual.ts'
import { fileName } from './fileName.ts'
import { sendForm } from './sendForm.ts'
import type { UploadFileInput } from './UploadFileInput.ts'
import { destroyMany, destroyOne, writeMany, writeOne } from './writeDocuments.ts'

type Sender = {
  connection: Connection
  credential: Credential | undefined
  signal: AbortSignal | undefined
  /** Of a queued upload, with the id under which the server does it once. */
  options?: Client['internal']['options']
}

/** Sends one file as a form. */
async function sendFile(
  client: Client,
  input: UploadFileInput,
  { connection, credential, signal, options = client.internal.options }: Sender,
): Promise<StoredFile> {
  const { file, onProgress } = input
  const name = fileName(input.name ?? ('name' in file && typeof file.name === 'string' ? file.name : 'file'))
  const { url, init } = buildRequest(connection, 'uploadFile', { name }, credential)
  try {
    const answer = await sendForm(options, url, init, writeForm(input, name), { onProgress, signal })
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

/** Sends the differences to the record, and applies the response. */
async function sendUser(
  client: Client,
  { objectId, ...record }: UserFields,
  fields: WireFields,
  signal: AbortSignal | undefined,
): Promise<void> {
  const before = new Map<string, WireValue>(Object.entries(record))
  const changed = selectFields(fields, (name, value) => isOperation(value) || !isEqual(before.get(name), value))
  if (Object.keys(changed).length === 0) return
  const hasPassword = Object.hasOwn(changed, 'password')
  await (hasPassword ? renewing(client, send) : send())
  // Operations, and a new address that has yet to be verified, change more than was sent.
  if (Object.hasOwn(changed, 'email') || Object.values(changed).some(isOperation)) {
    await refreshRecord(client, signal).catch(() => undefined)
  }

  async function send(): Promise<void> {
    const answer = await request(client, 'updateUser', { ...changed, objectId }, { signal })
    const { current } = client.internal
    if (current?.record.objectId !== objectId) return
    const values = selectFields(changed, (_, value) => !isOperation(value))
    const saved = readRecord({ ...current.record, ...values, ...answer, objectId })
    if (hasPassword) {
      renewCredential(client, requireConnection(client), answer.sessionToken)
      for (const { asked, reading } of client.internal.readings.values())
        if ('listSessions' in asked) reading.invalidate()
    }
    updateCurrent(client, { record: saved })
  }
}

/** Writes of documents and files in one chunk, loaded by one request. */
export const writing = { destroyMany, destroyOne, sendFile, sendUser, writeMany, writeOne }
