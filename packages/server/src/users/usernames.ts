import { randomInt } from 'node:crypto'
import { longest, refuse, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { readBase58 } from '../encoding/base58.ts'
import { hasHiddenCharacters } from './hiddenCharacters.ts'

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

/**
 * People sign in by name or by address, so both are one space: a name that is, or looks like, an e-mail or wallet address
 * would catch the sign-in of its owner, or pass for them. An account may go by its own e-mail address, as older
 * applications have it, and by a wallet that it proved. The master key brings accounts from elsewhere as they were;
 * `findUserByName` is safe with those.
 */
export async function refuseForeignName(
  { db }: Context,
  caller: Caller,
  username: string,
  account: { objectId?: string; email: string | null },
): Promise<void> {
  if (caller.isMaster) return
  const key = nameKey(username)
  if (/.@./s.test(key) && (account.email === null || nameKey(account.email) !== key)) {
    throw refuse('usernameIsEmailAddress')
  }
  const wallet = readWallet(username)
  if (wallet === undefined) return
  const own = await db.query(
    sql`select 1 from countersign.wallets where "user" = ${account.objectId ?? ''} and address = ${wallet}`,
  )
  if (own.length === 0) throw refuse('usernameIsWalletAddress')
}

/** The address that a name would pass for, as the table of wallets has it. */
function readWallet(username: string): string | undefined {
  const text = username.normalize('NFKC').trim()
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase()
  const isSolana = text.length >= 32 && text.length <= 44 && readBase58(text)?.length === 32
  return isSolana ? text : undefined
}
