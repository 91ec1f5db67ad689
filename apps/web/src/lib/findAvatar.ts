import type { User } from '@countersign/react'

/** The name of the picture that a user has chosen, as the server keeps it. */
export function findAvatar(user: User | undefined): string | undefined {
  const avatar = user?.avatar
  if (typeof avatar !== 'object' || avatar === null || !('__type' in avatar) || avatar.__type !== 'File')
    return undefined
  return typeof avatar.name === 'string' ? avatar.name : undefined
}
