import { median } from './measure/median.mjs'
import { countAllocations } from './process/countAllocations.mjs'

/**
 * One workload against all that take part, in turns (A B C D, B C D A …), so that a busy moment of
 * the machine strikes all alike. Only one of them has work at any time.
 *
 * @param {{ request(act: string, task: unknown, seconds: number): Promise<any>, say(line: string): void, signal: AbortSignal, postmasterPid: number }} context
 * @param {import('./types.d.ts').Workload} workload
 * @param {{ name: string, wire: string, target: import('./types.d.ts').Target, pid: number, child: import('node:child_process').ChildProcess, output(): string }[]} running
 * @param {ReturnType<typeof import('./readOptions.mjs').readOptions>} options
 * @returns {Promise<Record<string, import('./types.d.ts').Figures>>}
 */
export async function runRounds({ request, say, signal, postmasterPid }, workload, running, options) {
  // Password work leaves few requests in a second, so that a round needs longer for a steady figure.
  const seconds = options.seconds * (workload.password ? 1.5 : 1)
  const roundCount = workload.password ? options.passwordRounds : options.rounds
  /** @type {Map<string, import('./types.d.ts').Measured[]>} */
  const rounds = new Map(running.map(({ name }) => [name, []]))

  // Without a warm-up, a round measures from its first request.
  const warmUp = { seconds: 0, requests: 0, maxSeconds: 0 }
  const shortTask = { workload: workload.name, postmasterPid, connections: options.connections, seconds: 1, warmUp }
  const isWarmed = !workload.password && !options.quick
  for (const { name, wire, target, pid } of isWarmed ? running : []) {
    signal.throwIfAborted()
    const task = { ...shortTask, competitor: { name, wire, target, pid }, maxSeconds: 2 }
    say(`${workload.name} ${name}: ${await warmUntilLevel(() => request('round', task, 90))}`)
  }

  for (let round = 0; round < roundCount; round += 1) {
    const order = running.map((_, index) => running[(index + round) % running.length])
    for (const { name, wire, target, pid, output } of order) {
      signal.throwIfAborted()
      const first = workload.password ? { seconds: 1, requests: 60, maxSeconds: 3 } : options.warmUp
      const task = {
        workload: workload.name,
        competitor: { name, wire, target, pid },
        postmasterPid,
        connections: options.connections,
        // The first time compiles and fills caches, unless that is done; later ones only open connections again.
        warmUp: round === 0 && !isWarmed ? first : { seconds: 0.5, requests: 0, maxSeconds: 0 },
        seconds,
        maxSeconds: Math.max(seconds, options.maxSeconds),
      }
      try {
        const measured = await request('round', task, seconds + 60)
        rounds.get(name)?.push(measured)
        say(
          `${workload.name} ${round + 1}/${roundCount} ${name}: ${measured.requests} ${workload.unit ?? 'request'}s, ${Math.round(measured.cpuUs)} µs`,
        )
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        throw new Error(output() ? `${words}\nIts last words:\n${output()}` : words)
      }
    }
  }

  /** @type {Map<string, number>} */
  const allocated = new Map()
  for (const { name, wire, target, pid, child } of running) {
    signal.throwIfAborted()
    const task = { ...shortTask, competitor: { name, wire, target, pid }, maxSeconds: 5 }
    const { result, bytes } = await countAllocations(child, () => request('round', task, 90))
    allocated.set(name, bytes / 1000 / result.requests)
  }

  return Object.fromEntries(
    running.map(({ name }) => {
      const costs = (rounds.get(name) ?? []).map(({ cpuUs }) => cpuUs)
      const of = (/** @type {keyof import('./types.d.ts').Figures} */ key, digits = 0) => {
        const value = median((rounds.get(name) ?? []).map((measured) => measured[key] ?? 0))
        return Number(value.toFixed(digits))
      }
      const hasWrites = rounds.get(name)?.some(({ writeCpuUs }) => writeCpuUs !== undefined)
      return [
        name,
        {
          rps: of('rps'),
          p50: of('p50', 2),
          p99: of('p99', 2),
          cpuUs: of('cpuUs', 1),
          loopCpuUs: of('loopCpuUs', 1),
          dbCpuUs: of('dbCpuUs', 1),
          rssMb: of('rssMb'),
          spread: Math.round((100 * (Math.max(...costs) - Math.min(...costs))) / median(costs)),
          allocatedKb: Number((allocated.get(name) ?? 0).toFixed(1)),
          ...(hasWrites && { writeCpuUs: of('writeCpuUs', 1) }),
        },
      ]
    }),
  )
}

const mostWarmRounds = 8

/**
 * Runs short rounds until two in a row cost the same within 5 %: a server that is still being compiled costs more.
 *
 * @param {() => Promise<import('./types.d.ts').Measured>} measure
 */
async function warmUntilLevel(measure) {
  let before = Number.NaN
  for (let round = 1; round <= mostWarmRounds; round += 1) {
    const { cpuUs } = await measure()
    if (Math.abs(cpuUs - before) <= before * 0.05) return `level after ${round} rounds`
    before = cpuUs
  }
  return `not level after ${mostWarmRounds} rounds: take its figures with care`
}
