import type { UserRecord, WireValue } from '@countersign/protocol'
import type { contract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { logIn } from '../../users/passwords/logIn.ts'
import { mayBeMerged, restoreMergedByPassword } from '../merge/signInToMerged.ts'
import { readProviders, withIdentities } from '../providers/identities.ts'
import { proveAdditional } from '../providers/signInWithProviders.ts'
import { signInWithMfa } from '../secondFactor/olderMfa.ts'

export const logInEndpoint = defineEndpoint('logIn', {
  handle: ({ context, caller, input }) => logInWithAll(context, caller, input),
})

export const logInByGetEndpoint = defineEndpoint('logInByGet', {
  sameAs: 'logIn',
  writes: true,
  handle: ({ context, caller, input }) => logInWithAll(context, caller, input),
})

/** Password sign-in with all further proofs of the account. */
async function logInWithAll(
  context: Context,
  caller: Caller,
  input: z.output<typeof contract.logIn.input>,
): Promise<UserRecord> {
  const { given } = readProviders(context, input.authData as WireValue | undefined)
  const enter = () => logIn(context, caller, input, (found) => proveAdditional(context, caller, found, given))
  const user = await enter()
    .catch(async (refusal) => {
      if (mayBeMerged(refusal) && (await restoreMergedByPassword(context, caller, input))) return enter()
      throw refusal
    })
    .catch((refusal) => signInWithMfa(context, caller, input.authData as WireValue | undefined, refusal))
  return withIdentities(context, caller, user)
}
