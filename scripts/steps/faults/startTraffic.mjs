import { keys } from '../servers/startCountersign.mjs'
import { createPerson } from './createPerson.mjs'

/**
 * @typedef {import('./createCaller.mjs').Call} Call
 * @typedef {ReturnType<typeof import('./createLedger.mjs').createLedger>} Ledger
 * @typedef {{ kind: 'read' | 'write' | 'signIn', milliseconds: number, status: number, code: unknown }} Sample
 * @typedef {object} TrafficOptions
 * @property {Call[]} calls of the servers; a request that fails on one is repeated on the next
 * @property {number} people
 * @property {Ledger} ledger
 * @property {boolean} [isShort] sessions end in every round, for runs of few seconds
 * @property {number} [chainId] of a chain whose balances they read
 * @property {(sample: Sample) => void} [onSample] for each response
 */

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const master = { 'X-Parse-Master-Key': keys.masterKey }
const mostOwn = 12
const number = { type: 'Number' }

/** The class of the traffic, which clients may not create in production. @param {Call} call */
export async function prepareTraffic(call) {
  const text = { type: 'String' }
  const fields = { name: text, run: text, step: number, person: number }
  const indexes = { byPerson: { run: 1, person: 1 } }
  const { status, body } = await call('POST', '/schemas/Drill', { className: 'Drill', fields, indexes }, master)
  if (status !== 200) throw new Error(`The class could not be created: ${JSON.stringify(body)}`)
}

/**
 * People who sign up and in by password and wallet, create, change, read, search, count and delete objects, change two
 * of them in one transaction, read balances, ask for mails, sign out, change their password, and lose sessions to an
 * operator. A write has a request id and is repeated until it is acknowledged, which the ledger notes.
 *
 * @param {TrafficOptions} options
 */
export function startTraffic({ calls, people, ledger, isShort = false, chainId, onSample = () => {} }) {
  let running = true
  let requests = 0
  let signedUp = 0
  /** Requests a second of all together; without one, as many as there can be. @type {number | undefined} */
  let rate

  /** @type {(place: number, kind: Sample['kind'], ...given: Parameters<Call>) => ReturnType<Call>} */
  const send = async (place, kind, ...given) => {
    const began = performance.now()
    const answer = await /** @type {Call} */ (calls[place % calls.length])(...given)
    requests++
    onSample({ kind, milliseconds: performance.now() - began, status: answer.status, code: answer.body.code })
    return answer
  }

  /** @param {number} number */
  const live = async (number) => {
    const person = createPerson({ number, calls, send, ledger, isOver: () => !running })
    let due = performance.now() + Math.random() * 1000
    const keepPace = async () => {
      if (rate === undefined) return
      due = Math.max(due + (1000 * people) / rate, performance.now() - 1000)
      const left = due - performance.now()
      if (left > 0) await pause(left)
    }
    person.setPace(keepPace)
    await person.signUp()
    signedUp++
    for (let round = 0; running; round++) await runRound(person, round, { chainId, isShort })
  }
  const work = Promise.all(Array.from({ length: people }, (_, at) => live(at)))
  work.catch(() => {})
  return {
    requests: () => requests,
    /** Everybody has an account: to sign up again after a lost response is refused, as the name is taken. */
    isSettled: () => signedUp === people,
    /** @param {number | undefined} wanted requests a second */
    setRate(wanted) {
      rate = wanted
    },
    async stop() {
      running = false
      await work
    },
  }
}

/** @typedef {ReturnType<typeof createPerson>} Person */

/**
 * @param {Person} person
 * @param {number} round
 * @param {{ chainId: number | undefined, isShort: boolean }} options
 */
async function runRound(person, round, { chainId, isShort }) {
  // In a short run each comes after few rounds.
  const isTurn = (/** @type {number} */ every) =>
    (round + person.number) % (isShort ? Math.ceil(every / 8) : every) === 0

  await person.create()
  await person.increment()
  await person.read()
  await person.search()
  await person.incrementTwo()
  await person.readSelf()
  if (person.count() > mostOwn) await person.remove()
  await person.useDeadSession()
  if (chainId !== undefined && isTurn(4)) await person.readBalance(chainId)
  if (isTurn(6)) await person.askChallenge()
  if (isTurn(12)) await person.signInByWallet()
  if (isTurn(10)) await person.signOut()
  if (isTurn(20)) await person.loseSession()
  if (isTurn(40)) await person.changePassword()
  if (isTurn(25)) await person.askMail()
}
