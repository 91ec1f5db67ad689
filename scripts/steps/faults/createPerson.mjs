import { randomUUID } from 'node:crypto'
import { balanceOf } from '../../../bench/chain/accountOf.mjs'
import { createWallet } from '../../../bench/wallet/createWallet.mjs'
import { keys } from '../servers/startCountersign.mjs'

/**
 * @typedef {import('./createCaller.mjs').Call} Call
 * @typedef {ReturnType<typeof import('./createLedger.mjs').createLedger>} Ledger
 * @typedef {import('./startTraffic.mjs').Sample} Sample
 * @typedef {object} PersonParts
 * @property {number} number
 * @property {Call[]} calls of the servers
 * @property {Ledger} ledger
 * @property {() => boolean} isOver
 * @property {(place: number, kind: Sample['kind'], ...given: Parameters<Call>) => ReturnType<Call>} send
 */

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const master = { 'X-Parse-Master-Key': keys.masterKey }
/** Time (ms) in which servers have to be back after the last fault. */
const patience = 60_000

/** Somebody with an account, a wallet and objects. @param {PersonParts} parts */
export function createPerson(parts) {
  const line = createLine(parts)
  const account = createAccount(parts, line)
  return {
    number: parts.number,
    ...account,
    ...createDocuments(parts, line),
    ...createWalletActions(parts, line, account),
    /** Called before each request. @param {() => Promise<void>} callback */
    setPace(callback) {
      line.onRequest = callback
    },
  }
}

/** @typedef {ReturnType<typeof createLine>} Line */
/** @typedef {ReturnType<typeof createAccount>} Account */

/** Requests of one person, and the session in use. @param {PersonParts} parts */
function createLine({ number, send, ledger, isOver }) {
  const name = `${ledger.run.replaceAll(/\W+/g, '')}${number}`
  const line = {
    name,
    token: '',
    userId: '',
    /** Server in use. */
    place: number,
    onRequest: async () => {},
    asSelf: () => ({ 'X-Parse-Session-Token': line.token }),

    /**
     * Repeats a request on one server after the other until it gets a response that is not a failure.
     *
     * @type {(kind: Sample['kind'], method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<any>}
     */
    async insist(kind, method, path, body, headers = line.asSelf()) {
      const id = randomUUID()
      /** @type {number | undefined} */
      let giveUpAt
      for (let tries = 1; ; tries++) {
        await line.onRequest()
        const { status, body: answer } = await send(line.place, kind, method, path, body, {
          ...headers,
          ...(method !== 'GET' && { 'X-Parse-Request-Id': id }),
        })
        if (status === 200 || status === 201) return answer
        // The first try ended the session, and its response was lost.
        if (tries > 1 && method === 'DELETE' && answer.reason === 'invalidSessionToken') return answer
        // A transaction that waited too long for a lock was rolled back.
        if (status !== 0 && status < 500 && status !== 429 && answer.reason !== 'timeout') {
          ledger.faults.push(
            `${method} ${path}: ${status} ${JSON.stringify(answer)}${tries > 1 ? ` (try ${tries})` : ''}`,
          )
          return undefined
        }
        if (isOver()) giveUpAt ??= Date.now() + patience
        if (giveUpAt !== undefined && Date.now() > giveUpAt) {
          ledger.faults.push(`${method} ${path}: no server is back within ${patience / 1000} s`)
          return undefined
        }
        line.place++
        await pause(20 + Math.random() * 80)
      }
    },
  }
  return line
}

/** Objects of one person. @param {PersonParts} parts @param {Line} line */
function createDocuments({ number, ledger }, line) {
  const { run } = ledger
  /** Names of own objects, oldest first. @type {string[]} */
  const own = []
  let made = 0
  const objectIdOf = (/** @type {string} */ object) => ledger.objects.get(object)?.objectId

  return {
    count: () => own.length,
    async create() {
      const object = `${line.name}-${made++}`
      const ACL = { [line.userId]: { read: true, write: true }, '*': { read: true } }
      const answer = await line.insist('write', 'POST', '/classes/Drill', {
        name: object,
        run,
        step: 0,
        person: number,
        ACL,
      })
      if (!answer) return
      ledger.noteCreated(object, answer.objectId)
      own.push(object)
    },
    async increment() {
      const object = own.at(-1)
      if (!object) return
      const body = { step: { __op: 'Increment', amount: 1 } }
      if (await line.insist('write', 'PUT', `/classes/Drill/${objectIdOf(object)}`, body)) ledger.noteStep(object)
    },
    /** Both of them, or none. */
    async incrementTwo() {
      const two = own.slice(-2)
      const requests = two.map((object) => ({
        method: 'PUT',
        path: `/server/classes/Drill/${objectIdOf(object)}`,
        body: { step: { __op: 'Increment', amount: 1 } },
      }))
      const answer = await line.insist('write', 'POST', '/batch', { requests, transaction: true })
      if (answer) for (const object of two) ledger.noteStep(object)
    },
    async read() {
      const object = own[Math.floor(Math.random() * own.length)]
      if (!object) return
      const answer = await line.insist('read', 'GET', `/classes/Drill/${objectIdOf(object)}`)
      const { step } = ledger.objects.get(object) ?? {}
      if (answer && answer.step !== step) ledger.faults.push(`${object} was read with ${answer.step}, not ${step}`)
    },
    async search() {
      const where = encodeURIComponent(JSON.stringify({ run, person: number }))
      const answer = await line.insist('read', 'GET', `/classes/Drill?where=${where}&order=-createdAt&limit=20&count=1`)
      if (answer && answer.count !== own.length)
        ledger.faults.push(`${line.name} has ${own.length} objects, but ${answer.count} were counted`)
    },
    async remove() {
      const object = /** @type {string} */ (own.shift())
      if (await line.insist('write', 'DELETE', `/classes/Drill/${objectIdOf(object)}`)) ledger.noteDeleted(object)
    },
  }
}

/** Account and sessions of one person. @param {PersonParts} parts @param {Line} line */
function createAccount({ calls, ledger, isOver }, line) {
  const { name } = line
  const account = { username: name, password: `the password of ${name}`, email: `${name}@example.org` }

  const self = {
    async signUp() {
      const answer = await line.insist('signIn', 'POST', '/users', account, {})
      if (!answer) return
      line.userId = answer.objectId
      line.token = answer.sessionToken
      await self.signIn()
    },
    /** Replaces the session by another. The earlier one lives on. */
    async signIn() {
      const { username, password } = account
      const answer = await line.insist('signIn', 'POST', '/login', { username, password }, {})
      const before = line.token
      if (answer) line.token = answer.sessionToken
      return before
    },
    async readSelf() {
      const answer = await line.insist('read', 'GET', '/users/me')
      if (answer && answer.objectId !== line.userId) ledger.faults.push(`${line.name} was taken for ${answer.objectId}`)
    },
    /** @param {string} ended @param {string} how */
    async end(ended, how) {
      const answer = await line.insist('write', 'POST', '/logout', {}, { 'X-Parse-Session-Token': ended })
      if (answer) ledger.noteDead(ended, line.place % calls.length, how)
    },
    async signOut() {
      await self.end(await self.signIn(), 'signed out')
    },
    /** An operator ends the session. */
    async loseSession() {
      const before = line.token
      const { objectId } = (await line.insist('read', 'GET', '/sessions/me')) ?? {}
      await self.signIn()
      if (!objectId || line.token === before) return
      const answer = await line.insist('write', 'DELETE', `/sessions/${objectId}`, undefined, master)
      if (answer) ledger.noteDead(before, line.place % calls.length, 'revoked')
    },
    /** Ends every session but a new one. */
    async changePassword() {
      const before = await self.signIn()
      const password = `password ${randomUUID()}`
      // By the operator: the response to the owner's own change has a session, which must not be lost.
      const answer = await line.insist('signIn', 'PUT', `/users/${line.userId}`, { password }, master)
      if (!answer) return
      account.password = password
      for (const ended of [before, line.token]) ledger.noteDead(ended, line.place % calls.length, 'password changed')
      await self.signIn()
    },
    async askMail() {
      await line.insist('write', 'POST', '/requestPasswordReset', { email: account.email }, {})
    },
    async useDeadSession() {
      const tokens = ledger.recentlyDead()
      const ended = tokens[Math.floor(Math.random() * tokens.length)]
      if (!ended || isOver()) return
      await line.onRequest()
      const server = Math.floor(Math.random() * calls.length)
      await ledger.probe(ended, /** @type {Call} */ (calls[server]), server)
    },
  }
  return self
}

/** Wallet of one person. @param {PersonParts} parts @param {Line} line @param {Account} account */
function createWalletActions({ send, ledger }, line, account) {
  const wallet = createWallet()

  const self = {
    /** @param {number} chainId */
    async readBalance(chainId) {
      await line.onRequest()
      // A node that fails makes this fail: nothing to insist on.
      const path = `/chain/${chainId}/addresses/${wallet.address}/balance`
      const { status, body } = await send(line.place, 'read', 'GET', path, undefined, line.asSelf())
      if (status === 200 && body.result.balance !== String(balanceOf(wallet.address)))
        ledger.faults.push(`a balance was ${body.result.balance}: the node lied, and was believed`)
    },
    /** A challenge that nobody signs. */
    async askChallenge() {
      const headers = { 'X-Parse-Installation-Id': wallet.installationId }
      return line.insist('write', 'POST', '/auth/challenge', { address: wallet.address, chainId: 1 }, headers)
    },
    /** Signs in and out by wallet. @param {number} [tries] */
    async signInByWallet(tries = 1) {
      const headers = { 'X-Parse-Installation-Id': wallet.installationId }
      const { message } = (await self.askChallenge()) ?? {}
      if (!message) return
      await line.onRequest()
      const proof = { message, signature: wallet.sign(message) }
      // A challenge is valid once, so a lost response cannot be asked for again.
      const { status, body } = await send(line.place, 'signIn', 'POST', '/auth/signInWithWallet', proof, headers)
      if (status === 200 || status === 201) return account.end(body.sessionToken, 'signed out')
      if (status >= 500 || status === 0) line.place++
      // A clock that is set may end a challenge early; another one must do.
      else if (tries > 0) await self.signInByWallet(tries - 1)
      else ledger.faults.push(`wallet sign-in: ${status} ${JSON.stringify(body)}`)
    },
  }
  return self
}
