import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { isOnlyAnonymous } from '../users/isOnlyAnonymous.ts'

const names = {
  enableForPublic: 'public',
  enableForAnonymousUser: 'anonymous user',
  enableForAuthenticatedUser: 'authenticated user',
} as const

/** Who may upload: by default whoever is signed in and has a way to come back. */
export async function checkUploader(context: Context, caller: Caller): Promise<void> {
  if (caller.isMaster) return
  const setting = await settingOf(context, caller)
  if (context.config.fileUpload[setting]) return
  throw new CountersignError('FileSaveError', `File upload by ${names[setting]} is disabled.`, {
    details: `The server’s setting fileUpload.${setting} allows it.`,
  })
}

async function settingOf(context: Context, { session }: Caller): Promise<keyof typeof names> {
  if (!session) return 'enableForPublic'
  return (await isOnlyAnonymous(context, session.userId)) ? 'enableForAnonymousUser' : 'enableForAuthenticatedUser'
}
