// node bench/parity/run.mjs [--operations 3000] [--seed 1] [--show 20] [--out FILE]: the same random operations sent to Countersign and
// to parse-server, and their responses compared. Needs `npm run build`, and `npm ci` in this folder's parent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { countersign } from '../competitors/countersign.mjs'
import { parseServer } from '../competitors/parseServer.mjs'
import { createDatabases } from '../process/createDatabases.mjs'
import { startCompetitor } from '../process/startCompetitor.mjs'
import { createOperations } from './createOperations.mjs'
import { createSide } from './createSide.mjs'
import { explain } from './explain.mjs'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '20' },
    out: { type: 'string' },
  },
})

/** @type {(() => Promise<void>)[]} */
const stops = []
const folder = mkdtempSync(join(tmpdir(), 'countersign-parity-'))
const context = {
  signal: new AbortController().signal,
  folder,
  onExit: (/** @type {() => Promise<void>} */ stop) => void stops.push(stop),
}
try {
  const postgres = await startPostgres({ settings: { fsync: 'off' } })
  context.onExit(() => postgres.stop())
  const competitors = [countersign, parseServer]
  const names = competitors.map(({ name }) => name)
  const { urls } = await createDatabases(postgres.url, names)
  const [ours, theirs] = await Promise.all(
    competitors.map(async (each) => createSide(await startCompetitor(context, each, urls.get(each.name) ?? ''))),
  )
  if (!ours || !theirs) throw new Error('a server is missing')
  await compare(ours, theirs)
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * @param {import('./createSide.mjs').Side} ours
 * @param {import('./createSide.mjs').Side} theirs
 */
async function compare(ours, theirs) {
  const { prepare, next } = createOperations(Number(values.seed))
  for (const operation of prepare) {
    const both = await Promise.all([ours.send(operation), theirs.send(operation)])
    ours.learn(operation, both[0])
    theirs.learn(operation, both[1])
    if (both.some(({ status }) => status >= 300)) throw new Error(`preparing: ${JSON.stringify({ operation, both })}`)
  }
  /** @type {Map<string, number>} */
  const known = new Map()
  /** @type {{ operation: object, ours: object, theirs: object }[]} */
  const different = []
  let alike = 0
  for (let count = 0; count < Number(values.operations); count++) {
    const operation = next()
    const [mine, other] = await Promise.all([ours.send(operation), theirs.send(operation)])
    ours.learn(operation, mine)
    theirs.learn(operation, other)
    const left = { status: mine.status, body: ours.normalize(mine.body) }
    const right = { status: other.status, body: theirs.normalize(other.body) }
    if (JSON.stringify(left) === JSON.stringify(right)) alike++
    else {
      const reason = explain({ operation, ours: left, theirs: right })
      if (reason) known.set(reason, (known.get(reason) ?? 0) + 1)
      else different.push({ operation, ours: left, theirs: right })
    }
  }
  if (values.out) writeFileSync(values.out, JSON.stringify(different, null, 1))
  for (const each of different.slice(0, Number(values.show))) console.log(`${JSON.stringify(each).slice(0, 1_500)}\n`)
  console.log(`| ${values.operations} operations, seed ${values.seed} | count |\n|---|--:|\n| alike | ${alike} |`)
  for (const [reason, count] of [...known].sort(([, a], [, b]) => b - a)) console.log(`| ${reason} | ${count} |`)
  console.log(`| not explained | ${different.length} |`)
  if (different.length > 0) process.exitCode = 1
}
