// The process of `npm run fuzz`: prints counts by endpoint and every violation, and exits with 1 if there is one.
import dns from 'node:dns'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { readCorpus, writeCorpus } from './corpus.ts'
import { createWorld } from './createWorld.ts'
import type { FuzzFinding } from './Finding.ts'
import { fuzzImports } from './fuzzImports.ts'
import { type EndpointCounts, runFuzz } from './runFuzz.ts'

/** Cases on one database. A new one then bounds its size, and finds faults of the first requests again. */
const casesPerWorld = 50_000

/** Requests for each import of a random file, which takes longer. */
const requestsPerImport = 250

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { cases: text, seed: text, endpoint: { ...text, multiple: true }, rights: text },
})
const cases = Number(values.cases ?? 10_000)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const only = values.endpoint?.flatMap((names) => names.split(','))

stayOnThisMachine()
// Of two concurrent imports, the loader of TypeScript gives the second a module that is not evaluated yet.
await Promise.all([import('../../chain/evm.ts'), import('../../oidc/createProvider.ts')])
console.log(`${cases} cases, seed ${seed}, database ${process.env.TEST_DATABASE ?? 'embedded'}`)
const corpus = readCorpus()
const kept = new Map(corpus.map((one) => [one.reached, one]))
const findings: FuzzFinding[] = []
const counts: Record<string, EndpointCounts> = {}
const heaps: number[] = []
const started = performance.now()
let [done, round, longestTurn, repeated] = [0, 0, 0, 0]
while (done < cases && findings.length < 100) {
  // Two of three worlds are of unprivileged callers: only there every secret and every write is checked.
  const rights =
    values.rights === 'user' || values.rights === 'master' ? values.rights : round % 3 === 2 ? 'master' : 'user'
  const part = Math.min(casesPerWorld, cases - done, values.rights === undefined ? Math.ceil(cases / 3) : cases)
  const imports = only ? (only.includes('import') ? part : 0) : Math.floor(part / requestsPerImport)
  const world = await createWorld(rights, { chain: round % 2 === 1 })
  const before = done
  let last = performance.now()
  const report = await runFuzz({
    ...{
      world,
      only,
      corpus: [...kept.values()],
      cases: part - imports,
      seed: seed + round,
      guardsWrites: rights === 'user',
    },
    onFinding: ({ rule, endpoint, message, input }) => console.log(`\n✗ ${rule} ${endpoint}: ${message}\n  ${input}`),
    progress: (now) => {
      if (performance.now() - last < 15_000) return
      last = performance.now()
      console.log(
        `${before + now} cases, ${Math.round((before + now) / ((last - started) / 1000))} a second, ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`,
      )
    },
  })
  await world.stop()
  const imported = await fuzzImports({ cases: imports, seed: seed + round })
  for (const { rule, message, input } of imported.findings) console.log(`\n✗ ${rule}: ${message}\n  ${input}`)
  for (const one of report.kept) kept.set(one.reached, one)
  findings.push(...report.findings, ...imported.findings)
  heaps.push(report.heap.after)
  longestTurn = Math.max(longestTurn, report.longestTurn)
  repeated += report.repeated
  for (const [name, { cases: sent, accepted, ms }] of Object.entries({ ...report.counts, ...imported.counts })) {
    const known = counts[name]
    counts[name] = {
      cases: sent + (known?.cases ?? 0),
      accepted: accepted + (known?.accepted ?? 0),
      ms: ms + (known?.ms ?? 0),
    }
  }
  done += part
  round++
}
for (const [name, { cases: sent, accepted, ms }] of Object.entries(counts).sort(
  ([, one], [, other]) => other.cases - one.cases,
))
  console.log(
    `${name.padEnd(50)} ${String(sent).padStart(8)} cases ${String(accepted).padStart(8)} accepted ${(ms / sent).toFixed(0).padStart(6)} ms`,
  )
const seconds = (performance.now() - started) / 1000
const total = Object.values(counts).reduce((sum, each) => sum + each.cases, 0)
console.log(
  `${total} cases to ${Object.keys(counts).length} endpoints in ${Math.round(seconds)} s (${Math.round(total / seconds)} a second), seed ${seed}`,
)
console.log(
  `heap after garbage collection: ${heaps.map((bytes) => `${Math.round(bytes / 1024 / 1024)} MB`).join(', ')}; longest turn seen alone: ${Math.round(longestTurn)} ms`,
)
if (repeated > 0) console.log(`${repeated} requests sent again, alone, because the machine was too slow for the first`)
console.log(`${findings.length} violations`)
// Responses of a faulty server are none to reach again.
if (findings.length === 0) writeCorpus([...kept.values()])
process.exit(findings.length > 0 ? 1 : 0)

/** Hosts that random input names are not looked up. */
function stayOnThisMachine(): void {
  const { lookup } = dns
  dns.lookup = ((name: string, ...rest: unknown[]) => {
    if (name === 'localhost' || isIP(name)) return Reflect.apply(lookup, dns, [name, ...rest])
    const answer = rest.at(-1) as (error: Error) => void
    queueMicrotask(() => answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })))
  }) as typeof dns.lookup
}
