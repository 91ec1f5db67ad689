import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { needSession } from './needSession.ts'

/** The caller's session, if its user has shown a proof of late; a session left open elsewhere cannot take ways in away. */
export function needConfirmation(
  { config, clock }: Context,
  caller: Caller,
  seconds = config.confirmationLength,
): NonNullable<Caller['session']> {
  const session = needSession(caller)
  if (clock.now().getTime() - session.confirmedAt <= seconds * 1000) return session
  throw new CountersignError('OperationForbidden', 'Please confirm that it is you first.', {
    status: 403,
    details: 'step-up needed: POST /auth/stepUp with a password, or with a signature for the purpose stepUp',
  })
}
