import type { Client } from '../../client/Client.ts'
import { requireConnection, requireString, requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { askPasskey } from '../../session/askPasskey.ts'
import { renewCredential, renewing } from '../../session/renewCredential.ts'
import { request } from '../../session/request.ts'
import type { ChangePasswordInput, RequestPasswordResetInput, ResetPasswordInput } from '../inputs.ts'

export async function changePassword(
  client: Client,
  { currentPassword, newPassword }: ChangePasswordInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireUser(client, 'changing the password')
  if (currentPassword !== undefined) requireString('currentPassword', currentPassword)
  requireString('newPassword', newPassword)
  return client.internal.queue.run(() =>
    renewing(client, async () => {
      const { record } = requireUser(client, 'changing the password')
      const answer = await request(client, 'changePassword', { currentPassword, newPassword }, { signal })
      if (client.internal.current?.record.objectId !== record.objectId) return
      renewCredential(client, requireConnection(client), answer.sessionToken)
      // The first password of an account is another sign-in method.
      invalidateReadings(client, 'listSessions', 'listSignInMethods')
    }),
  )
}

export async function requestPasswordReset(
  client: Client,
  { email }: RequestPasswordResetInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireString('email', email)
  await request(client, 'requestPasswordReset', { email }, { signal })
  invalidateReadings(client, 'listOutbox')
}

export async function resetPassword(
  client: Client,
  { token, password, secondFactorCode, passkey, newAccount }: ResetPasswordInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireString('token', token)
  requireString('password', password)
  const shown = passkey ? await askPasskey(client, 'signIn', signal) : secondFactorCode && { secondFactorCode }
  const asked = { token, password, ...shown, ...(newAccount && { newAccount }) }
  await request(client, 'resetPassword', asked, { signal })
}
