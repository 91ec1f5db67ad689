import { setTimeout as sleep } from 'node:timers/promises'
import { startMeasuring } from '../measure/startMeasuring.mjs'
import { encodeRequest } from './encodeRequest.mjs'
import { openConnection } from './openConnection.mjs'
import { wireOf } from './wireOf.mjs'

/**
 * The closed loop: every connection begins its next unit when the last one is done. Each response is checked; a wrong
 * one ends the run, since a fast wrong response is worth nothing.
 *
 * @param {import('../types.d.ts').RoundTask} task
 * @returns {Promise<import('../types.d.ts').Measured>}
 */
export async function driveHttp(task) {
  const { workload, competitor, accounts, prepared, nextPerson, warmUp, seconds } = task
  const wire = wireOf(workload, competitor)
  if (!wire) throw new Error(`${competitor.name} takes no part in ${workload.name}`)
  /** @type {import('../types.d.ts').Sequence['run']} */
  const run =
    'run' in wire ? wire.run : async (target, given, send) => wire.check(await send(wire.request(target, given)), given)
  const connections = await Promise.all(
    Array.from({ length: task.connections }, () => openConnection(competitor.target.port)),
  )

  const abort = new AbortController()
  let phase = 'warming'
  let turn = 0
  let warmed = 0
  /** @type {number[]} */
  const latencies = []

  const loop = async (/** @type {Awaited<ReturnType<typeof openConnection>>} */ connection) => {
    while (phase !== 'done') {
      turn = (turn + 1) % accounts.length
      let took = 0
      const send = async (/** @type {import('../types.d.ts').Request} */ request) => {
        const bytes = encodeRequest(request)
        const sentAt = performance.now()
        const answer = await connection.send(bytes)
        took += performance.now() - sentAt
        return answer
      }
      await run(competitor.target, { account: accounts[turn], turn, person: nextPerson(), prepared }, send)
      if (phase === 'warming') warmed += 1
      else if (phase === 'measuring') latencies.push(took)
    }
  }

  const pause = (/** @type {number} */ ms) => sleep(ms, undefined, { signal: abort.signal })
  const clock = async () => {
    const startedAt = performance.now()
    await pause(warmUp.seconds * 1000)
    while (warmed < warmUp.requests && performance.now() - startedAt < warmUp.maxSeconds * 1000) await pause(20)
    const finish = startMeasuring({ pid: competitor.pid, postmasterPid: task.postmasterPid })
    phase = 'measuring'
    const until = performance.now() + task.maxSeconds * 1000
    await pause(seconds * 1000)
    // Requests in flight at both ends must be few beside the counted ones, also on a slow or busy machine.
    while (latencies.length < 4 * task.connections && performance.now() < until) await pause(20)
    phase = 'done'
    return finish(latencies)
  }

  try {
    const [measured] = await Promise.all([clock(), ...connections.map(loop)])
    return measured
  } catch (error) {
    phase = 'done'
    throw new Error(`${competitor.name} failed ${workload.name}: ${error instanceof Error ? error.message : error}`)
  } finally {
    abort.abort()
    for (const connection of connections) connection.close()
  }
}
