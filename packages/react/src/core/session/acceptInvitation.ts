import type { Client } from '../client/Client.ts'

export type AcceptInvitationInput = { readonly token: string }

/**
 * Signs up by an invitation, whichever method that is: until somebody is signed in, the secret of its link is sent along
 * where an account may be made.
 *
 * @example
 * acceptInvitation(client, { token: new URL(location.href).searchParams.get('invitation') ?? '' })
 */
export function acceptInvitation(client: Client, { token }: AcceptInvitationInput): void {
  client.internal.options.invitation = token
}
