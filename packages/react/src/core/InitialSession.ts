import type { UserFields } from './wire/readRecord.ts'

/**
 * What the server that rendered a page found out about the session, as plain JSON. `undefined`: it could not find out,
 * and the page does so itself.
 */
export type InitialSession =
  | { readonly status: 'undefined' }
  | { readonly status: 'unauthenticated' }
  | { readonly status: 'authenticated'; readonly user: UserFields & { username?: string; email?: string } }
