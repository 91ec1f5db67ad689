import { createHmac } from 'node:crypto'
import type { Context } from '../context/Context.ts'

/** Secret of the provider for one use. */
export const deriveSecret = ({ keys }: Context, use: string): string =>
  createHmac('sha256', keys.secret).update(`oidc ${use}`).digest('base64url')

/** Address of the provider, under which clients find everything else. */
export const issuerOf = ({ publicUrl }: Pick<Context, 'publicUrl'>): string => `${publicUrl}/oidc`
