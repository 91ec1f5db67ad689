import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../scripts/postgres.mjs'
import { afterDeath } from '../scripts/steps/run/afterDeath.mjs'
import { benchChain } from './chain/benchChain.mjs'
import { startSyntheticNode } from './chain/startSyntheticNode.mjs'
import { competitors as allCompetitors } from './competitors/all.mjs'
import { countersignBefore, serverEntry } from './competitors/countersign.mjs'
import { wireOf } from './load/wireOf.mjs'
import { createDatabases } from './process/createDatabases.mjs'
import { readPasswordCost } from './process/readPasswordCost.mjs'
import { startCompetitor } from './process/startCompetitor.mjs'
import { startLoad } from './process/startLoad.mjs'
import { stopProcess } from './process/stopProcess.mjs'
import { takeProfile } from './process/takeProfile.mjs'
import { help, readOptions } from './readOptions.mjs'
import { checkGuard } from './report/checkGuard.mjs'
import { checkTargets } from './report/checkTargets.mjs'
import { describeMachine } from './report/describeMachine.mjs'
import { describeSignIn } from './report/describeSignIn.mjs'
import { formatAims } from './report/formatAims.mjs'
import { formatTable } from './report/formatTable.mjs'
import { readVersions } from './report/readVersions.mjs'
import { summariseProfile } from './report/summariseProfile.mjs'
import { writeSection } from './report/writeSection.mjs'
import { runRounds } from './runRounds.mjs'
import { selectByName } from './selectByName.mjs'
import { listWorkloads } from './workloads/listWorkloads.mjs'

const longestRunMs = 3 * 60 * 60_000
const postgresSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_connections: 200,
}

/** @type {(() => Promise<void>)[]} */
const stops = []
const abort = new AbortController()
const context = {
  signal: abort.signal,
  folder: '',
  onExit: (/** @type {() => Promise<void>} */ stop) => void stops.push(stop),
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => abort.abort(new Error(`stopped by ${signal}`)))
setTimeout(() => abort.abort(new Error('the run took too long')), longestRunMs).unref()

async function main() {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return console.log(help)
  if (process.platform !== 'linux')
    throw new Error('The benchmark reads processor times from /proc and so needs Linux.')

  const workloads = selectByName(await listWorkloads(), options.only, 'workload')
  const competitors = selectByName(allCompetitors, options.competitors, 'competitor')
  if (options.before) competitors.push(countersignBefore(options.before))
  if (competitors.some(({ name }) => name.startsWith('countersign')) && !existsSync(serverEntry))
    throw new Error('The server is not built: run `npm run build`, or start the benchmark with `npm run bench`.')

  const stranger = options.profile.find((name) => !competitors.some((each) => each.name === name))
  if (stranger !== undefined) throw new Error(`--profile ${stranger}: no such competitor takes part`)

  const startedAt = Date.now()
  const say = (/** @type {string} */ line) =>
    console.error(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${line}`)

  context.folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  // More than once, since on a busy machine a competitor may write for a moment longer.
  const callOff = afterDeath('for pass in 1 2 3 4 5; do sleep 1; rm -rf "$1"; done', [context.folder])
  context.onExit(async () => {
    rmSync(context.folder, { recursive: true, force: true })
    callOff()
  })
  const machine = describeMachine()
  if (machine.loadBefore > 1) say(`the machine is busy (load ${machine.loadBefore}): take the figures with care`)
  say('PostgreSQL')
  const postgres = await startPostgres({ settings: postgresSettings })
  context.onExit(() => postgres.stop())
  const request = await startLoad(context)

  /** @type {Record<string, Record<string, import('./types.d.ts').Figures>>} */
  const results = {}
  /** @type {string[]} */
  const profiles = []
  let version = ''
  // Servers that index a chain work at it while others are measured: they are started for the workloads of the chain alone.
  for (const group of [
    workloads.filter(({ needsChain }) => !needsChain),
    workloads.filter((each) => each.needsChain),
  ]) {
    const taking = competitors.filter((competitor) => group.some((workload) => wireOf(workload, competitor)))
    if (taking.length === 0) continue
    const hasChain = group.some(({ needsChain }) => needsChain)
    const suffix = hasChain ? '-chain' : ''
    const databases = await createDatabases(
      postgres.url,
      taking.map(({ name }) => name + suffix),
    )
    version = databases.version
    const node = hasChain ? await startSyntheticNode(benchChain) : undefined
    if (node) context.onExit(node.stop)
    const running = []
    for (const competitor of taking) {
      abort.signal.throwIfAborted()
      const url = databases.urls.get(competitor.name + suffix) ?? ''
      const own = { ...context, folder: join(context.folder, hasChain ? 'chain' : 'plain') }
      const started = await startCompetitor(own, competitor, url, node?.chain)
      running.push(started)
      const { child, output, ...plain } = started
      await request('seed', { competitor: plain, count: options.accounts }, 120)
      say(`${competitor.name} is ready with ${options.accounts} accounts`)
    }
    for (const workload of group) {
      const parts = running.filter((competitor) => wireOf(workload, competitor))
      if (parts.length === 0) continue
      results[workload.name] = await runRounds(
        { request, say, signal: abort.signal, postmasterPid: postgres.pid() },
        workload,
        parts,
        options,
      )
    }
    profiles.push(...(await profileAll(options, group, running, { request, postmasterPid: postgres.pid() })))
    await Promise.all(running.map(({ child }) => stopProcess(child)))
  }
  const passwordCpuUs = workloads.some(({ password }) => password)
    ? await readPasswordCost(abort.signal, options.quick ? 1 : 2)
    : undefined

  const {
    help: _help,
    check: _check,
    guard: _guard,
    out,
    only: _only,
    competitors: _competitors,
    profile: _profile,
    ...settings
  } = options
  writeFileSync(
    out,
    `${JSON.stringify(
      {
        machine,
        date: new Date().toISOString(),
        settings: { ...settings, postgres: postgresSettings },
        versions: { postgres: version, ...readVersions(competitors) },
        competitors: Object.fromEntries(competitors.map(({ name, about }) => [name, about])),
        passwordCpuUs,
        workloads: results,
      },
      null,
      2,
    )}\n`,
  )

  const tables = [
    ...workloads.filter(({ name }) => results[name]).map((workload) => formatTable(workload, results[workload.name])),
    formatAims(results),
  ].join('\n\n')
  console.log(tables)
  const measured = `${new Date().toISOString().slice(0, 10)}, Node.js ${process.version}, ${machine.cpu}, load ${machine.loadBefore} before the run.`
  const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))
  // A part of the workloads, or a busy machine, does not replace the figures of a whole run.
  const isWhole = !options.only && !options.quick && machine.loadBefore <= 1
  if (isWhole)
    writeSection(
      here('./RESULTS.md'),
      '# Results\n\nWritten by `npm run bench`.',
      process.arch,
      `${measured}\n\n${tables}`,
    )
  if (isWhole && profiles.length > 0)
    writeSection(
      here('./PROFILES.md'),
      '# Profiles\n\nWritten by `npm run bench -- --profile`.',
      process.arch,
      `${measured}\n\n${profiles.join('\n\n')}`,
    )
  if (passwordCpuUs) {
    console.log('\nCPU of the password work alone, in µs (hash / verify), measured in the same run:')
    for (const [name, { hash, verify }] of Object.entries(passwordCpuUs)) console.log(`- ${name}: ${hash} / ${verify}`)
  }
  for (const profile of profiles) console.log(`\n${profile}`)
  say(`figures are in ${out}`)

  if (options.guard) {
    const { exitCode, lines } = checkGuard(results, machine.loadBefore)
    console.log(`\n${lines.join('\n')}`)
    process.exitCode = exitCode
  } else if (results.sessionCheck?.countersign || options.check) {
    const { exitCode, lines } = checkTargets(results.sessionCheck, machine.loadBefore)
    console.log(`\n${lines.join('\n')}`)
    if (options.check) process.exitCode = exitCode
  }
  if (results.walletSignIn?.countersign) console.log(`\n${describeSignIn(results.walletSignIn).join('\n')}`)
}

/**
 * Profiles of the competitors that the options name, in each workload of a group.
 *
 * @param {ReturnType<typeof readOptions>} options
 * @param {import('./types.d.ts').Workload[]} group
 * @param {Awaited<ReturnType<typeof startCompetitor>>[]} running
 * @param {{ request(act: string, task: unknown, seconds: number): Promise<any>, postmasterPid: number }} load
 */
async function profileAll(options, group, running, { request, postmasterPid }) {
  const profiles = []
  for (const name of options.profile) {
    const found = running.find((each) => each.name === name)
    // It takes part in the other group.
    if (!found) continue
    const folder = fileURLToPath(new URL('./profiles/', import.meta.url))
    mkdirSync(folder, { recursive: true })
    for (const workload of group.filter((each) => wireOf(each, found))) {
      const file = join(folder, `${name}-${workload.name}.cpuprofile`)
      const { child, output, ...competitor } = found
      const task = {
        workload: workload.name,
        competitor,
        postmasterPid,
        connections: options.connections,
        // No warm-up, so that the round's requests are those of the profile.
        warmUp: { seconds: 0, requests: 0, maxSeconds: 0 },
        seconds: 5,
        maxSeconds: 5,
      }
      const measured = await takeProfile(child, file, () => request('round', task, 60))
      profiles.push(`### ${name}, ${workload.name}\n\n${summariseProfile(file, measured.requests, workload.unit, 10)}`)
    }
  }
  return profiles
}

try {
  await main()
} catch (error) {
  console.error(
    `\n✗ ${abort.signal.aborted ? abort.signal.reason.message : error instanceof Error ? error.message : error}`,
  )
  process.exitCode = 1
} finally {
  for (const stop of stops.reverse()) await stop().catch((error) => console.error(error))
}
process.exit()
