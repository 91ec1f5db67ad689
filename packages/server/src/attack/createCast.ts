import { randomBytes } from 'node:crypto'
import type { Account } from './createLedger.ts'
import type { Scene } from './createScene.ts'
import type { Actor, Answer } from './createTarget.ts'

/** People and things that cases share. */
export type Cast = {
  /** Owner of a private document; no other account may see or change anything of theirs. */
  victim: Account
  /** Attacker with an ordinary account. */
  stranger: Account
  /** Account for requests that may end it; replaced when they do. */
  spare: Account
  /** Session of the victim that has ended. */
  ended: Actor
  /** Session of an account that was deleted. */
  deleted: Actor
  /** Class of the documents. Absent if this server lets nobody create one without the master key. */
  className: string
  /** Private document of the victim. */
  doc?: string
  /** Text in it. */
  canary: string
  victimSession: string
  victimWallet?: string
  /** State of the victim, to be equal after the attack. */
  snapshot(): Promise<string>
}

/** Creates the accounts and documents that cases share. */
export async function createCast(scene: Scene): Promise<Cast> {
  const { call, need, addSecret } = scene
  const victim = await scene.signUp('victim', {}, true)
  const stranger = await scene.signUp('stranger')
  const spare = await scene.signUp('spare')
  const canary = addSecret('CANARY', `canary${randomBytes(12).toString('hex')}`, victim)
  const className = await scene.addClass({ secret: { type: 'String' }, note: { type: 'String' } })
  const ACL = { [victim.id]: { read: true, write: true } }
  const made = await call(victim, 'POST', `/classes/${className}`, { secret: canary, note: 'private', ACL })
  const doc = made.status === 201 ? String(made.body.objectId) : undefined
  if (doc === undefined && !scene.master) scene.made.classes.delete(className)

  const endedToken = await scene.logIn(victim)
  const ended: Actor = { name: 'endedSession', token: endedToken }
  await need({ ...victim, token: endedToken }, 'POST', '/logout', {})

  const leaving = await scene.signUp('deleted')
  const deleted: Actor = { name: 'deletedAccount', token: leaving.token }
  await call(leaving, 'DELETE', `/users/${leaving.id}`)

  const session = await need(victim, 'GET', '/sessions/me')
  const victimWallet = await linkWallet(scene, victim)
  const mine: Omit<Cast, 'snapshot'> = {
    ...{ victim, stranger, spare, ended, deleted, className, canary, victimSession: String(session.body.objectId) },
    ...(doc !== undefined && { doc }),
    ...(victimWallet !== undefined && { victimWallet }),
  }
  return { ...mine, snapshot: () => takeSnapshot(scene, mine) }
}

async function linkWallet(scene: Scene, account: Account): Promise<string | undefined> {
  const key = await scene.createKey()
  const asked = await scene.call(account, 'POST', '/auth/challenge', {
    purpose: 'link',
    address: key.address,
    chainId: 1,
  })
  if (asked.status !== 200) return undefined
  const { message } = asked.body
  const linked = await scene.call(account, 'POST', '/auth/wallets', { message, signature: key.sign(message) })
  return typeof linked.body.objectId === 'string' ? linked.body.objectId : undefined
}

/** State of the victim as its owner sees it. Times of last use are left out: reading changes them. */
async function takeSnapshot(scene: Scene, { victim, className, doc, victimSession }: Omit<Cast, 'snapshot'>) {
  const reads = [
    '/users/me',
    '/auth/signInMethods',
    '/auth/secondFactor',
    '/auth/wallets',
    `/sessions/${victimSession}`,
  ]
  if (doc !== undefined) reads.push(`/classes/${className}/${doc}`)
  const answers: Answer[] = []
  for (const path of reads) answers.push(await scene.call(victim, 'GET', path))
  return JSON.stringify(
    answers.map(({ status, body }) => ({ status: status === 429 ? 200 : status, body: status === 429 ? {} : body })),
    (key, value) =>
      ['updatedAt', 'lastUsedAt', 'lastUsed', 'lastSeenAt', 'lastSeen'].includes(key) ? undefined : value,
  )
}

/** Replaces the spare account if a request has ended it. */
export async function renewSpare(scene: Scene, cast: Cast): Promise<void> {
  const { status } = await scene.call(cast.spare, 'GET', '/sessions/me')
  if (status !== 200 && status !== 429) cast.spare = await scene.signUp('spare')
}
