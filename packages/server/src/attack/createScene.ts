import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createFindings } from './createFindings.ts'
import { createKey, type Key } from './createKey.ts'
import { type Account, createLedger, createSecrets } from './createLedger.ts'
import { type Actor, type Answer, createTarget, type Sent, type Target, type TargetOptions } from './createTarget.ts'
import { findViolations } from './invariants.ts'
import { AttackStopped, CaseSkipped } from './stops.ts'
import { writeCurl } from './writeCurl.ts'

type CallOptions = Omit<Sent, 'as' | 'method' | 'path' | 'body'>

export type Scene = Awaited<ReturnType<typeof createScene>>

export type SceneOptions = Omit<TargetOptions, 'onAnswer'> & {
  masterKey?: string | undefined
  /** Limit of requests, not counting the removal. */
  mostRequests: number
  signal?: AbortSignal | undefined
}

export const guest: Actor = { name: 'guest' }

/**
 * Server under attack: its accounts, objects and secrets, the findings, and the removal of everything that was made.
 * Each response is checked: no server error, no internals, no secret of another account.
 */
export async function createScene({ masterKey, mostRequests, signal, ...options }: SceneOptions) {
  const run = randomBytes(5).toString('hex')
  const secrets = createSecrets()
  const { made, note } = createLedger()
  let count = 0

  const target: Target = createTarget({ ...options, onAnswer: check })
  const master: Actor | undefined = masterKey === undefined ? undefined : { name: 'master', masterKey }
  if (masterKey) secrets.add('MASTER KEY', masterKey)
  const { hide, add: addSecret } = secrets
  const findings = createFindings({ hide, reproduce: (sent) => writeCurl(target, sent, hide) })
  const { report } = findings

  function check(answer: Answer): void {
    note(answer)
    for (const { rule, message } of findViolations(answer)) report(rule, answer, message)
    for (const label of secrets.findForeign(answer))
      report('foreignData', answer, `The response to ${answer.sent.as.name} contains ${label}, which is not theirs.`)
  }

  async function call(
    as: Actor,
    method: string,
    path: string,
    body?: unknown,
    more: CallOptions = {},
  ): Promise<Answer> {
    if (signal?.aborted) throw new AttackStopped('Interrupted.')
    if (target.counts().requests >= mostRequests)
      throw new AttackStopped(`The limit of ${mostRequests} requests is reached.`)
    return target.send({ as, method, path, ...(body !== undefined && { body }), ...more })
  }

  /** A call that others depend on: waits while the rate is limited. */
  async function need(as: Actor, method: string, path: string, body?: unknown, more?: CallOptions): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await call(as, method, path, body, more)
      if (answer.status < 300) return answer
      if (answer.status !== 429 || attempt === 4)
        throw new CaseSkipped(`${method} ${path} was refused: ${answer.status} ${hide(answer.text.slice(0, 200))}`)
      await pause(Math.min(Number(answer.headers['retry-after'] ?? 10), 65) * 1000)
    }
  }

  const password = () => randomBytes(12).toString('hex')

  /** Creates an account; with `hasEmail`, its address is a secret of it. */
  async function signUp(label: string, fields: object = {}, hasEmail = false): Promise<Account> {
    const name = `${label}${++count === 1 ? '' : count}`
    const username = `attack-${run}-${count}`
    const secret = password()
    const email = hasEmail ? `${run}${randomBytes(6).toString('hex')}@attack.invalid` : undefined
    const installationId = `attack-${run}-${count}`
    const input = { username, password: secret, ...(email !== undefined && { email }), ...fields }
    const { body } = await need(master ?? { name, installationId }, 'POST', '/users', input)
    const account: Account = {
      ...{ name, installationId, username, password: secret, id: String(body.objectId), token: '' },
      ...(email !== undefined && { email }),
    }
    made.users.set(account.id, { label: `user ${username}`, account })
    addSecret(`PASSWORD ${name}`, secret, account)
    if (email !== undefined) addSecret(`EMAIL ${name}`, email, account)
    account.token = await logIn(account)
    return account
  }

  /** A new session of the account, in another browser unless this is its first: each has one session. */
  async function logIn(account: Account): Promise<string> {
    const { username, password: secret } = account
    const other = account.token === '' ? account.installationId : `attack-${run}-${randomBytes(4).toString('hex')}`
    const asker: Actor = { name: account.name, ...(other !== undefined && { installationId: other }) }
    const { body } = await need(asker, 'POST', '/login', { username, password: secret })
    return addSecret(`TOKEN ${account.name}`, String(body.sessionToken), account)
  }

  /** Creates a class that every user may read and write; objects are protected by their access lists. */
  async function addClass(fields: object): Promise<string> {
    const className = `Attack${run}${made.classes.size}`
    if (master) await need(master, 'POST', `/schemas/${className}`, { className, fields })
    made.classes.add(className)
    return className
  }

  return {
    ...findings,
    run,
    target,
    master,
    call,
    need,
    addSecret,
    signUp,
    logIn,
    addClass,
    createKey: (): Promise<Key> => createKey(),
    made,
    hide,
    /** Fields of system classes before the attack. */
    systemFields: new Map<string, Set<string>>(),
    /** Steps that remove what has no list of its own. */
    undoes: [] as (() => Promise<unknown>)[],
    skip(reason: string): never {
      throw new CaseSkipped(reason)
    },
  }
}
