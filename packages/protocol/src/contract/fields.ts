import { z } from 'zod'
import type { ErrorName } from '../errorCodes.ts'
import { longest } from '../limits.ts'
import type { NamedReason } from '../reasons.ts'
import type { WireValue } from '../values.ts'
import { typed } from './typeNames.ts'

/** A text with a maximum, which is part of every contract: nothing is normalised, hashed or looked up beyond it. */
export const text = (longest: number) => z.string().max(longest)

/** The reason of a field that has another type than a text; every other refusal of it keeps its own. */
const ofType = (reasonOf: (input: unknown) => NamedReason) => ({
  error: ({ code, input }: { code?: string; input?: unknown }) =>
    code === 'invalid_type' ? reasonOf(input) : undefined,
})

/** A text with its own reason if it is missing or not a text. */
export const textOr = (reason: NamedReason) => z.string(ofType(() => reason))

/** A text with reasons for a missing or empty value, and for another type. */
export const namedText = (max: number, names: { missing: NamedReason; wrong?: NamedReason; long?: NamedReason }) => {
  const { missing, wrong = missing, long } = names
  const isMissing = (value: unknown) => value === undefined || value === null
  return z
    .string(ofType((input) => (isMissing(input) ? missing : wrong)))
    .min(1, missing)
    .max(max, long)
}

export const objectId = text(longest.objectId).min(1)
export const instant = z.iso.datetime()
export const wireDate = typed('WireDate', z.object({ __type: z.literal('Date'), iso: z.iso.datetime() }))
export const wirePointer = typed(
  'WirePointer',
  z.object({ __type: z.literal('Pointer'), className: z.string(), objectId: z.string() }),
)
/** Asks to keep an account that its owner deleted, while it is still there. */
export const restoreAccount = z.boolean().optional().describe('Restores an account that is scheduled for deletion')
export const newAccount = z
  .boolean()
  .optional()
  .describe('Creates a new account with the address if email alone cannot sign in to its account')
export const nothing = z.object({})
/** An object of the application's own fields. */
export const fields = z.looseObject({})
/** The one part of most paths. */
export const byId = z.object({ objectId })
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ results: z.array(item) })

/** A value of the application's own: it was read as JSON, and nothing more is asked of it here. */
export const wireValue = typed('WireValue', z.unknown() as unknown as z.ZodType<WireValue, WireValue>)
/** Any object of JSON. */
export const wireObject = z.record(z.string(), wireValue)
/** An object with some members that are known, and others that are the application's own. */
export const openObject = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).catchall(wireValue)
/** Fields to set, or operations on them such as `{ __op: 'Increment', amount: 1 }`. */
export const changes = typed('WireChanges', openObject({}))

/** Legacy codes for a field of another type and for a missing one. */
export const refusedAs = (wrong: ErrorName | undefined, missing: ErrorName = 'MissingRequiredField') => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? missing : wrong),
})

/** The name of a class. Which names there may be is decided where a class is made. */
export const className = z.string().max(200, 'InvalidClassName')
export const ofClass = z.object({ className })
/** The secret of a mailed link. */
export const mailToken = textOr('linkExpired').max(longest.token)
/** A password that is to be proven, or to be set. */
export const password = namedText(longest.password, { missing: 'passwordMissing', long: 'passwordTooLong' })

/** Reasons of endpoints that may create an account, from the operator's rules. */
export const signUpReasons = [
  'signInMethodOff',
  'signUpClosed',
  'emailDomainNotAllowed',
  'invitationRequired',
  'invitationInvalid',
] as const

/** Older clients send numbers as text, too. */
export const maxStaleness = z
  .union([z.number(), z.string().max(50)], 'InvalidQuery: must be a number of seconds from 0 up')
  .nullish()
  .describe('Seconds that the result may be old: read replicas may serve it')
