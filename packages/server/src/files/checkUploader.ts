import { CountersignError } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import type { Caller } from '../context/Caller.ts'

/** Who may upload: by default whoever is signed in. */
export function checkUploader({ fileUpload }: Pick<Config, 'fileUpload'>, caller: Caller): void {
  if (caller.isMaster) return
  const who = kindOf(caller)
  if (fileUpload[who.setting]) return
  throw new CountersignError('FileSaveError', `File upload by ${who.name} is disabled.`, {
    details: `The server’s setting fileUpload.${who.setting} allows it.`,
  })
}

function kindOf({ session }: Caller) {
  if (!session) return { name: 'public', setting: 'enableForPublic' } as const
  const { authData } = session.user
  const isAnonymous = authData !== null && typeof authData === 'object' && Object.hasOwn(authData, 'anonymous')
  return isAnonymous
    ? ({ name: 'anonymous user', setting: 'enableForAnonymousUser' } as const)
    : ({ name: 'authenticated user', setting: 'enableForAuthenticatedUser' } as const)
}
