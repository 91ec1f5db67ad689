import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRequest } from '../load/encodeRequest.mjs'
import { openConnection } from '../load/openConnection.mjs'
import { wireOf } from '../load/wireOf.mjs'
import { startMeasuring } from '../measure/startMeasuring.mjs'
import { openListener } from './openListener.mjs'

export const subscribers = 500

/** One write after another, the next when everyone has received the last. */
export const driveFanOut = async (/** @type {import('../types.d.ts').RoundTask} */ task) => {
  const { competitor, accounts, workload, warmUp, seconds } = task
  const { target } = competitor
  const wire = /** @type {import('../types.d.ts').Exchange} */ (wireOf(workload, competitor))
  const connection = await openConnection(target.port)
  /** @type {number[]} */
  const latencies = []
  let mark = Buffer.from('-')
  let heard = 0
  let sentAt = 0
  let isMeasuring = false
  let written = 0
  let allHeard = () => {}
  let foreign = 0

  const onEvent = (/** @type {Buffer} */ text) => {
    if (!text.includes(mark)) foreign += 1
    if (isMeasuring) latencies.push(performance.now() - sentAt)
    heard += 1
    if (heard === subscribers) allHeard()
  }
  const write = async (/** @type {number} */ room) => {
    const account = accounts[written++ % accounts.length]
    const given = { account, turn: room, person: account, prepared: written }
    mark = Buffer.from(`"points":${written}`)
    sentAt = performance.now()
    wire.check(await connection.send(encodeRequest(wire.request(target, given))), given)
  }
  const tellAll = async () => {
    heard = 0
    const done = new Promise((resolve) => {
      allHeard = () => resolve(undefined)
    })
    await Promise.all([write(1), within(done, 10_000, `${competitor.name}: an event did not reach everyone`)])
  }
  const repeat = async (/** @type {() => Promise<void>} */ work, /** @type {number} */ time) => {
    const until = performance.now() + time * 1000
    do await work()
    while (performance.now() < until)
  }

  const listeners = await Promise.all(
    Array.from({ length: subscribers }, (_, at) => subscribe(target, accounts[at % accounts.length], onEvent)),
  )
  try {
    await repeat(tellAll, Math.max(1, warmUp.seconds))
    const finish = startMeasuring({ pid: competitor.pid, postmasterPid: task.postmasterPid })
    isMeasuring = true
    await repeat(tellAll, seconds)
    const measured = finish(latencies)
    isMeasuring = false
    if (foreign > 0) throw new Error(`${competitor.name}: ${foreign} events were not of the last write`)

    const finishWrites = startMeasuring({ pid: competitor.pid, postmasterPid: task.postmasterPid })
    const before = written
    await repeat(() => write(2), seconds / 4)
    // Work after the response belongs to the write.
    await sleep(100)
    const writes = finishWrites(Array.from({ length: written - before }, () => 0))
    return { ...measured, writeCpuUs: writes.cpuUs }
  } finally {
    connection.close()
    for (const listener of listeners) listener.close()
  }
}

/**
 * @param {import('../types.d.ts').Target} target
 * @param {import('../types.d.ts').Account} account
 * @param {(text: Buffer) => void} onEvent
 */
async function subscribe({ port, mount, applicationId }, { token }, onEvent) {
  /** @type {(error?: Error) => void} */
  let answered = () => {}
  let isOpen = false
  const open = new Promise((resolve, reject) => {
    answered = (error) => (error ? reject(error) : resolve(undefined))
  })
  const listener = await openListener({
    port,
    path: mount || '/',
    onText(text) {
      if (isOpen) return onEvent(text)
      const { op, error } = JSON.parse(String(text))
      if (op === 'connected') {
        const query = { className: 'Live', where: { room: 1 } }
        listener.send({ op: 'subscribe', requestId: 1, query, sessionToken: token })
      } else if (op === 'subscribed') {
        isOpen = true
        answered()
      } else answered(new Error(`not subscribed: ${error ?? op}`))
    },
  })
  listener.send({ op: 'connect', applicationId, sessionToken: token })
  await within(open, 30_000, 'no answer to a subscription')
  return listener
}

/** @param {Promise<unknown>} work @param {number} milliseconds @param {string} otherwise */
async function within(work, milliseconds, otherwise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), milliseconds)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
