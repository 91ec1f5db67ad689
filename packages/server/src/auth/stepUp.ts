import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { confirmSession } from '../users/confirmSession.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { proveAgain, type StepUpInput } from './proveAgain.ts'

/** Confirms the session by a fresh proof of its user. The session goes on under a new token. */
export async function stepUp(
  context: Context,
  caller: Caller,
  input: StepUpInput,
): Promise<{ confirmedUntil: string; sessionToken: string }> {
  const { userId } = needSession(caller)
  const shown = await proveAgain(context, caller, input)
  const { token, confirmedAt } = await context.db.transaction(async () => {
    await noteActivity(context, caller, userId, 'stepUp', { ...shown })
    return confirmSession(context, caller)
  })
  const confirmedUntil = new Date(confirmedAt.getTime() + context.config.confirmationLength * 1000)
  return { confirmedUntil: confirmedUntil.toISOString(), sessionToken: token }
}
