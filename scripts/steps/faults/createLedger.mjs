import { keys } from '../servers/startCountersign.mjs'

/** @typedef {import('./createCaller.mjs').Call} Call */

/** Longest time (ms) for which another server may believe a session that ended: docs/architecture.md. */
const longestTrust = 5_000

const master = { 'X-Parse-Master-Key': keys.masterKey }

const mostRecent = 100
const probesAtOnce = 16

/**
 * Acknowledged writes: objects with their counters, and ended sessions. Compares them with the database, and uses the
 * sessions, which must be refused.
 *
 * @param {{ run: string, single?: number[] }} options the name of this run, and servers of one process, by their place:
 *   they refuse a session at once that ended there
 */
export function createLedger({ run, single = [] }) {
  /** Counter of each object by its name. @type {Map<string, { objectId: string, step: number }>} */
  const objects = new Map()
  /** @type {Map<string, { at: number, server: number, how: string }>} */
  const dead = new Map()
  /** @type {string[]} */
  const faults = []
  /** @type {string[]} */
  const recent = []
  let acknowledged = 0
  let undead = 0

  return {
    run,
    objects,
    dead,
    /** Responses that no fault explains. */
    faults,
    acknowledged: () => acknowledged,
    /** Sessions that were used after their end. */
    undead: () => undead,
    /** @param {string} name @param {string} objectId */
    noteCreated(name, objectId) {
      acknowledged++
      objects.set(name, { objectId, step: 0 })
    },
    /** @param {string} name */
    noteStep(name) {
      acknowledged++
      const object = objects.get(name)
      if (object) object.step++
    },
    /** @param {string} name */
    noteDeleted(name) {
      acknowledged++
      objects.delete(name)
    },
    /** @param {string} token @param {number} server @param {string} how */
    noteDead(token, server, how) {
      acknowledged++
      dead.set(token, { at: Date.now(), server, how })
      recent.push(token)
      if (recent.length > mostRecent) recent.shift()
    },
    recentlyDead: () => recent,
    /** Uses a session that ended, as a thief would. @param {string} token @param {Call} call @param {number} server */
    async probe(token, call, server) {
      const end = dead.get(token)
      const isKnown = server === end?.server && single.includes(server)
      if (!end || (!isKnown && Date.now() - end.at < longestTrust)) return
      const { status } = await call('GET', '/users/me', undefined, { 'X-Parse-Session-Token': token })
      if (status !== 200) return
      undead++
      faults.push(`a session that ended ${Date.now() - end.at} ms before (${end.how}) still works`)
    },
    /**
     * Compares the database with what was acknowledged, and uses every ended session on every server.
     *
     * @param {Call[]} calls of the servers
     */
    async check(calls) {
      const [call] = /** @type {[Call]} */ (calls)
      const where = encodeURIComponent(JSON.stringify({ run }))
      const path = `/classes/Drill?where=${where}&limit=1000000&keys=name,step`
      const { body } = await call('GET', path, undefined, master)
      /** @type {Map<string, number>} */
      const found = new Map()
      let doubled = 0
      for (const { name, step } of body.results) {
        // An object that nobody was promised, or that was deleted, counts as written twice.
        if (found.has(name) || !objects.has(name)) doubled++
        found.set(name, step)
      }
      let lost = 0
      for (const [name, { step }] of objects) {
        const there = found.get(name)
        if (there === undefined || there < step) lost++
        else if (there > step) doubled++
      }
      for (const [server, each] of calls.entries()) {
        const tokens = [...dead.keys()]
        const probeSome = async () => {
          for (let token = tokens.pop(); token !== undefined; token = tokens.pop())
            await this.probe(token, each, server)
        }
        await Promise.all(Array.from({ length: probesAtOnce }, probeSome))
      }
      return { acknowledged, lost, doubled, undead, deadSessions: dead.size, faults: faults.slice(0, 20) }
    },
  }
}
