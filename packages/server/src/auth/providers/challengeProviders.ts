import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { showText } from '../../encoding/showText.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { type PasswordInput, proveByPassword } from '../../users/passwords/logIn.ts'
import { encodeUser, findUser, isLocked } from '../../users/UserRow.ts'
import { findIdentities, findOwners, openAll, readProviders } from './identities.ts'
import { describeRequest, mostKept, proveIdentity, runAdapter } from './runAdapter.ts'

export type ChallengeInput = Partial<PasswordInput> & {
  authData?: WireValue | undefined
  challengeData?: WireValue | undefined
}

/** Returns challenges of adapters: a nonce, or a code that is sent elsewhere. Requires the user to be named. */
async function challengeProviders(
  context: Context,
  caller: Caller,
  { authData, challengeData, username, email, password }: ChallengeInput,
): Promise<{ challengeData: WireFields }> {
  if (challengeData === undefined || challengeData === null) throw refused('Nothing to challenge.')
  const wanted: unknown = challengeData
  if (!isTree(wanted)) throw refused('challengeData should be an object.')
  if (JSON.stringify(challengeData).length > mostKept) throw refused('challengeData is too large.')
  const known: unknown = authData
  const isNamed = Boolean(username || email)
  if (isNamed && !password) throw refused('You provided username or email, you need to also provide password.')
  if (isNamed && authData)
    throw refused('You cannot provide username/email and authData, only use one identification method.')

  const userId = isNamed
    ? (
        await proveByPassword(context, caller, {
          username,
          email,
          password: showText(password, Number.POSITIVE_INFINITY),
        } as PasswordInput)
      ).objectId
    : authData
      ? await proveByIdentity(context, caller, authData)
      : caller.session?.userId
  const owner = userId === undefined ? undefined : await describe(context, userId)
  const request = { ...describeRequest(caller, owner), isChallenge: true as const }
  const answers: WireFields = {}
  // One after another, so that one that refuses keeps the others from sending anything.
  for (const name of Object.keys(wanted).sort()) {
    const provider = context.authProviders.get(name)
    if (!provider?.adapter.challenge) continue
    const shown = isTree(known) && isTree(known[name]) ? known[name] : undefined
    const answer = await runAdapter(context, provider, 'Challenge', async () =>
      provider.adapter.challenge?.(wanted[name] as WireValue, shown, provider.options, request),
    )
    answers[name] = (answer || true) as WireValue
  }
  return { challengeData: answers }
}

/** An unknown identity and one that its adapter refuses get the same response: ids cannot be guessed. */
async function proveByIdentity(context: Context, caller: Caller, authData: WireValue): Promise<string> {
  if (!isTree(authData)) throw refused('authData should be an object.')
  const named = readProviders(context, authData).given.filter(({ provider }) => provider.policy !== 'additional')
  const [given] = named
  if (!given || named.length > 1) throw refused('You cannot provide more than one authData provider with an id.')
  try {
    const [userId] = await findOwners(context, [given])
    const owner = userId === undefined ? undefined : await describe(context, userId)
    await proveIdentity(context, caller, given, owner ? 'validateLogin' : 'validateSetUp', owner)
    if (userId !== undefined && owner) return userId
  } catch (cause) {
    throw new CountersignError('ObjectNotFound', 'User not found.', { cause })
  }
  throw new CountersignError('ObjectNotFound', 'User not found.')
}

async function describe(context: Context, userId: string): Promise<WireFields | undefined> {
  const row = await findUser(context, userId)
  if (!row || isLocked(row)) return undefined
  return { ...encodeUser(context, row), authData: openAll(context, await findIdentities(context, userId)) }
}

function isTree(value: unknown): value is WireFields {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)
}

function refused(sentence: string): CountersignError {
  return new CountersignError('OtherCause', sentence)
}

export const challengeEndpoint = defineEndpoint('challenge', {
  handle: ({ context, caller, input }) => challengeProviders(context, caller, input as ChallengeInput),
})
