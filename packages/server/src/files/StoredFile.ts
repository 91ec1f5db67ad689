import { CountersignError, type WireFields } from '@countersign/protocol'
import { fileUrl } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findHooks, runAfter, runBefore } from '../hooks/runHooks.ts'
import { isOnlyAnonymous } from '../users/UserRow.ts'
import { getStore } from './stores/getStore.ts'
import type { StoreName } from './stores/StoreName.ts'

/** A file that is there, as its row tells. */
export type StoredFile = {
  name: string
  type: string
  size: number
  /** SHA-256 of the content, in hexadecimal. */
  digest: string
  metadata: WireFields
  tags: WireFields
  store: StoreName
}

/** A file as hooks of `@File` see it. */
export function describeFile({ name, type, size, metadata, tags }: StoredFile): WireFields {
  return { name, type, size, metadata, tags }
}

const longest = 128

/** The name that a client gives to a file. It never leaves its folder, and its ending is plain to see. */
export function checkFileName(name: string | undefined): string {
  if (name === undefined || name === '') throw new CountersignError('InvalidFileName', 'Filename not provided.')
  if (name.length > longest) throw new CountersignError('InvalidFileName', 'Filename too long.')
  // A dot or blank at the end hides the ending from a check for one, and some systems drop it when they save.
  if (!/^[_a-zA-Z0-9][a-zA-Z0-9@. ~_-]*$/.test(name) || /[. ]$/.test(name)) {
    throw new CountersignError('InvalidFileName', 'Filename contains invalid characters.', {
      details: 'Use letters, digits and @. ~_- only. Start with a letter, digit or _, and do not end with a dot.',
    })
  }
  return name
}

/** File extension in lower case; empty if there is none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

const names = {
  enableForPublic: 'public',
  enableForAnonymousUser: 'anonymous user',
  enableForAuthenticatedUser: 'authenticated user',
} as const

/** Checks permission to upload: by default users who are signed in and can sign in again. */
export async function checkUploader(context: Context, caller: Caller): Promise<void> {
  if (caller.isMaster) return
  const setting = await settingOf(context, caller)
  if (context.config.fileUpload[setting]) return
  throw new CountersignError('FileSaveError', `File upload by ${names[setting]} is disabled.`, {
    details: `To allow it, set fileUpload.${setting} in the configuration.`,
  })
}

async function settingOf(context: Context, { session }: Caller): Promise<keyof typeof names> {
  if (!session) return 'enableForPublic'
  return (await isOnlyAnonymous(context, session.userId)) ? 'enableForAnonymousUser' : 'enableForAuthenticatedUser'
}

/** A file that has come in as a whole. */
export async function findFile({ db }: Pick<Context, 'db'>, name: string): Promise<StoredFile | undefined> {
  // No stored name has it, and the database takes it for an error.
  if (name.includes('\0')) return undefined
  const [file] = await db.query<StoredFile>(sql.named('find-file')`
    select name, type, size::float8 as size, encode(digest, 'hex') as digest, metadata, tags, store
    from countersign.files
    where name = ${name} and digest is not null`)
  return file
}

/** Deletes a file with its previews, for the master key. */
async function deleteFile(context: Context, caller: Caller, name: string): Promise<object> {
  const object = { name, url: fileUrl(context, name) }
  const handlers = name.includes('\0') ? undefined : findHooks(context, 'beforeDelete', '@File')
  if (handlers) await runBefore(handlers, caller, { hook: 'beforeDelete', className: '@File', object })
  const removed = name.includes('\0') ? 0 : await removeFiles(context, sql`name = ${name} or original = ${name}`)
  if (removed === 0) throw new CountersignError('FileDeleteError', 'Could not delete file: no file has this name.')
  await runAfter(context, caller, { hook: 'afterDelete', className: '@File', object })
  return {}
}

/** Removes contents first, then the rows that name them: what fails half-way can be done again. */
async function removeFiles(context: Pick<Context, 'config' | 'db'>, condition: Fragment): Promise<number> {
  const { db } = context
  const files = await db.query<{ name: string; store: StoreName }>(
    sql`select name, store from countersign.files where ${condition}`,
  )
  for (const { name, store } of files) await getStore(context, store).remove(name)
  await db.query(sql`delete from countersign.files where name = any(${files.map(({ name }) => name)})`)
  return files.length
}

/** Clears away what interrupted uploads left behind. */
export async function sweepFiles(context: Context): Promise<void> {
  const longAgo = new Date(context.clock.now().getTime() - 2 * context.config.files.uploadTimeout * 1000)
  await removeFiles(context, sql`digest is null and created < ${longAgo}`)
}

export const deleteFileEndpoint = defineEndpoint('deleteFile', {
  handle: ({ context, caller, params }) => deleteFile(context, caller, params.name),
})
