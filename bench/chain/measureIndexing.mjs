import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readClusterCpu } from '../measure/readClusterCpu.mjs'
import { readRss } from '../measure/readRss.mjs'
import { readThreads } from '../measure/readThreads.mjs'
import { stopProcess } from '../process/stopProcess.mjs'

/**
 * @typedef {object} IndexingFigures
 * @property {string} name
 * @property {number} logs
 * @property {number} seconds from when it began to work to when all was indexed
 * @property {number} secondsWithStart from when its process began
 * @property {number} logsPerSecond by `seconds`
 * @property {number} indexerCpuSeconds all threads of its process, start included
 * @property {number} databaseCpuSeconds of the whole cluster in that time
 * @property {number} rssMb
 * @property {number} [requests] HTTP requests that the node got
 * @property {number} [loadBefore] of the machine
 */

/** @typedef {{ url: string, chainId: number, tokens: string[], pictures: string[] }} SyntheticFacts */

/** @typedef {(text: string) => Promise<any[]>} Ask */

const longest = 15 * 60_000

/**
 * Runs an indexer as a process of its own until it is done, and reads what that took.
 *
 * @param {object} task
 * @param {string} task.name
 * @param {string} task.databaseUrl
 * @param {number} task.postmasterPid
 * @param {string} task.cwd
 * @param {string[]} task.args of node
 * @param {Record<string, string>} task.env
 * @param {(ask: Ask) => Promise<boolean>} task.hasBegun
 * @param {(ask: Ask) => Promise<boolean>} task.isDone
 * @param {string} task.count the statement that counts what was indexed
 * @returns {Promise<IndexingFigures>}
 */
export async function measureIndexing(task) {
  const client = new pg.Client(task.databaseUrl)
  await client.connect()
  const cluster = readClusterCpu(task.postmasterPid)
  const began = performance.now()
  const child = spawn(process.execPath, task.args, {
    cwd: task.cwd,
    env: {
      PATH: process.env.PATH,
      HOME: task.cwd,
      NODE_ENV: 'production',
      COUNTERSIGN_WORKERS: '1',
      DATABASE_URL: task.databaseUrl,
      ...task.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4000)
    })

  /** @type {Ask} none while the tables are not there yet */
  const ask = async (text) => {
    try {
      return (await client.query(text)).rows
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code === '42P01') return []
      throw error
    }
  }
  /** @param {(ask: Ask) => Promise<boolean>} check @returns {Promise<number>} when it was so */
  const until = async (check) => {
    while (!(await check(ask))) {
      if (child.exitCode !== null) throw new Error(`${task.name} ended:\n${output}`)
      if (performance.now() - began > longest) throw new Error(`${task.name} was not done in time:\n${output}`)
      await sleep(20)
    }
    return performance.now()
  }

  try {
    const first = await until(task.hasBegun)
    const done = await until(task.isDone)
    const pid = Number(child.pid)
    const indexerCpu = readThreads(pid).all
    const databaseCpu = readClusterCpu(task.postmasterPid) - cluster
    const [{ count }] = await ask(task.count)
    const seconds = (done - first) / 1000
    return {
      name: task.name,
      logs: Number(count),
      seconds: round(seconds),
      secondsWithStart: round((done - began) / 1000),
      logsPerSecond: Math.round(Number(count) / seconds),
      indexerCpuSeconds: round(indexerCpu / 1e9),
      databaseCpuSeconds: round(databaseCpu / 1e9),
      rssMb: Math.round(readRss(pid)),
    }
  } finally {
    await stopProcess(child)
    await client.end()
  }
}

const round = (/** @type {number} */ value) => Number(value.toFixed(2))
