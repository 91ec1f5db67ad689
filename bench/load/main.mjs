// Load generator: a separate process, controlled by messages.
import { listWorkloads } from '../workloads/listWorkloads.mjs'
import { driveHttp } from './driveHttp.mjs'
import { prepareData } from './prepareData.mjs'
import { seedAccounts } from './seedAccounts.mjs'

const workloads = await listWorkloads()
/** @type {Map<string, import('../types.d.ts').Account[]>} */
const accountsOf = new Map()
/** @type {Map<string, unknown>} */
const preparedOf = new Map()
const run = process.pid.toString(36)
let people = 0

const nextPerson = () => {
  people += 1
  const username = `bench-${run}-${people}`
  return { username, email: `${username}@example.com`, password: `pass phrase ${people} of ${run}` }
}

/** @type {Record<string, (task: any) => Promise<unknown>>} */
const acts = {
  seed: async ({ competitor, count }) => {
    accountsOf.set(competitor.name, await seedAccounts({ ...competitor, count, nextPerson }))
  },
  round: async (task) => {
    const workload = workloads.find(({ name }) => name === task.workload)
    if (!workload) throw new Error(`no workload ${task.workload}`)
    const accounts = accountsOf.get(task.competitor.name) ?? []
    const key = `${workload.name} ${task.competitor.name}`
    if (!preparedOf.has(key)) preparedOf.set(key, await prepareData(workload, task.competitor, accounts))
    const prepared = preparedOf.get(key)
    return (workload.drive ?? driveHttp)({ ...task, workload, accounts, prepared, nextPerson })
  },
}

process.on('disconnect', () => process.exit(0))
process.on('message', async (/** @type {{ act: string, task: unknown }} */ { act, task }) => {
  try {
    process.send?.({ result: await acts[act](task) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})
process.send?.({ ready: true })
