import { randomInt } from 'node:crypto'
import { CountersignError, longest, type Reason, refuse, type WireValue } from '@countersign/protocol'
import { hash, verify } from '@node-rs/argon2'
import type { Context } from '../context/Context.ts'

/** More than any name or address that was ever stored. */
const longestKnown = 320

/**
 * Key of a username or email address: ignores case, surrounding spaces, and code points that only look different
 * (full-width letters, ligatures).
 */
export function nameKey(name: string): string {
  // The last line of defence: normalising makes a text up to eighteen times as long.
  if (name.length > longestKnown) throw refuse('usernameTooLong', { max: longestKnown })
  return name.normalize('NFKC').trim().toLowerCase()
}

const qualities =
  'amber,bold,brisk,calm,clear,cosy,crisp,eager,early,fair,fleet,gentle,glad,golden,grand,green,happy,hardy,jolly,keen,kind,lively,lucky,mellow,merry,mild,neat,noble,patient,plain,proud,quick,quiet,rapid,ready,royal,sage,silver,sleek,smart,snug,solid,steady,still,sunny,swift,tidy,true,vivid,warm,wise,witty'.split(
    ',',
  )

const animals =
  'badger,beaver,bison,bittern,crane,curlew,dipper,dolphin,dormouse,eagle,egret,falcon,ferret,finch,fox,gannet,goshawk,hare,heron,ibex,jackdaw,kestrel,lark,lemur,linnet,lynx,marmot,marten,merlin,moose,newt,nuthatch,orca,osprey,otter,owl,petrel,pika,plover,puffin,raven,robin,seal,shrike,siskin,stoat,stork,swallow,tern,thrush,vole,walrus,weasel,wren'.split(
    ',',
  )

/** A name that people can read and remember, for a user who came without one: `quiet-otter-48213`. */
export function newUsername(): string {
  return `${pick(qualities)}-${pick(animals)}-${randomInt(10_000, 1_000_000)}`
}

function pick(words: string[]): string {
  return words[randomInt(words.length)] as string
}

/** A user name that may be stored, from whatever a client sent. */
export function readUsername(value: WireValue | undefined): string {
  if (typeof value !== 'string') throw refuse('usernameMissing')
  refuseLongName(value)
  if (value.trim() === '') throw refuse('usernameMissing')
  // Its key is looked up and indexed, and some letters are many in it.
  refuseLongName(nameKey(value))
  if (hasHiddenCharacters(value)) throw refuse('usernameHasHiddenCharacters')
  return value
}

/** Rejects an impossible name before it is normalized, which makes a text up to eighteen times as long. */
function refuseLongName(name: string): void {
  if (name.length > longest.username) throw refuse('usernameTooLong', { max: longest.username })
}

/** A password that may be stored. An object in its place would be a query operator in disguise. */
export function readPassword(value: WireValue | undefined): string {
  if (typeof value !== 'string' || value === '') throw refuse('passwordMissing')
  refuseLongPassword(value)
  return value
}

function refuseLongPassword(password: string): void {
  if (password.length > longest.password) throw refuse('passwordTooLong', { max: longest.password })
}

export function readEmail(value: WireValue): string {
  if (typeof value !== 'string') throw refuse('invalidEmailAddress')
  refuseLongAddress(value)
  if (!isAddress(value)) throw refuse('invalidEmailAddress')
  return value
}

/** Returns true if untrusted text could be an account's address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= longest.email && isAddress(text)
}

function refuseLongAddress(email: string): void {
  if (email.length > longest.email) throw refuse('emailTooLong', { max: longest.email })
}

/**
 * One mailbox in one spelling, as the mailer sends it: no angle brackets, quotes, comments, lists, address literals or
 * final dots, which mailers and mail servers take away or read in their own way. Limits count by the text, so each
 * further spelling of an address would have a limit of its own.
 */
const mailbox = /^[^\s@()<>[\]:;,\\"]+@[\w\P{ASCII}-]+(?:\.[\w\P{ASCII}-]+)*$/u

/** Letters that only look like others would make the address of somebody else the same as this one. */
function isAddress(text: string): boolean {
  return (
    mailbox.test(text) &&
    // White space, and a full stop that mailers read as a dot.
    !/[\s\u3002]/.test(text) &&
    text.normalize('NFKC') === text.normalize('NFC') &&
    !hasHiddenCharacters(text)
  )
}

/** Emoji that are made of several characters: what joins those is seen in what they become. Takes 50 ms to make. */
let emoji: RegExp | undefined

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Detects invisible characters and those that change the text around them: line breaks and other control characters,
 * direction marks and overrides, zero-width and filling characters. Such a name imitates another one, or adds lines to
 * a mail.
 */
function hasHiddenCharacters(text: string): boolean {
  if (!hidden.test(text)) return false
  // biome-ignore lint/complexity/useRegexLiterals: the compiler knows this flag only for targets from ES2024 on
  emoji ??= new RegExp('\\p{RGI_Emoji}', 'gv')
  return hidden.test(text.replace(emoji, ''))
}

/** Rejects hidden characters in names given by owners, which are shown in lists and mails. */
export function refuseHidden(text: string, field: string): void {
  if (hasHiddenCharacters(text)) throw refuse('hiddenCharacters', { field })
}

/** Argon2id with 19 MiB, two passes, one lane: the minimum of OWASP. The library's kind 2 is Argon2id. */
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The hash of a password that nobody has: unknown users cost the same time as known ones. */
let nobody: Promise<string> | undefined

/** The same for bcrypt, at the cost that parse-server takes. */
const nobodyOlder = '$2b$10$CwTycUXWue0Thq9StjUM0uJ8.ewYGCbV8Qgf0sWIY8F4rZCmMKcbS'

const bcrypt = /^\$2[aby]\$(0[4-9]|1[0-3])\$[./A-Za-z0-9]{53}$/
const argon2id = /^\$argon2id\$v=19\$m=(\d{1,5}),t=([1-4]),p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/

export function hashPassword(password: string): Promise<string> {
  return hash(password, options)
}

/**
 * Checks a password. Takes as long for a user that does not exist or has no password. `older`: some imported hashes are
 * still bcrypt, so every check computes both and its time does not reveal whose are.
 */
export async function checkPassword(
  stored: string | null | undefined,
  password: string,
  older = isOlderHash(stored),
): Promise<boolean> {
  nobody ??= hashPassword('\u0000 nobody has this password')
  const isOlder = isOlderHash(stored)
  const right = await verify((!isOlder && stored) || (await nobody), password)
  if (!older && !isOlder) return right && !!stored
  const rightOlder = await verifyOlder(isOlder ? (stored as string) : nobodyOlder, password)
  return isOlder ? rightOlder : right && !!stored
}

/** Kept from an import; replaced at the first sign-in. */
export function isOlderHash(stored: string | null | undefined): boolean {
  return stored?.startsWith('$2') ?? false
}

/** Returns true if an imported hash is acceptable. An expensive one would be a way to keep the server busy. */
export function isKeptHash(text: string): boolean {
  const [, memory] = argon2id.exec(text) ?? []
  return bcrypt.test(text) || (memory !== undefined && Number(memory) <= 65_536)
}

async function verifyOlder(stored: string, password: string): Promise<boolean> {
  if (!bcrypt.test(stored)) return false
  // Loaded where there are such hashes alone.
  return (await import('@node-rs/bcrypt')).verify(password, stored)
}

/** Refuses a new password that the operator's rules do not allow. */
export function checkPasswordPolicy({ config }: Context, password: string, username: string): void {
  const policy = config.passwordPolicy
  refuseLongPassword(password)
  if (password.length < policy.minLength) throw inOwnWords(refuse('passwordTooShort', { min: policy.minLength }))
  if (policy.doNotAllowUsername && password.toLowerCase().includes(username.toLowerCase())) {
    throw inOwnWords(refuse('passwordContainsUsername'))
  }

  // The operator may have a sentence for all of them.
  function inOwnWords(refusal: CountersignError): CountersignError {
    const { reason, params } = refusal
    if (policy.validationError === undefined) return refusal
    return new CountersignError('ValidationError', policy.validationError, {
      reason: reason as Reason,
      ...(params && { params }),
    })
  }
}
