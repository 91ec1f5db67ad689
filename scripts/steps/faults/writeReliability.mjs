import { cpus } from 'node:os'
import { join } from 'node:path'
import { writeSection } from '../../../bench/report/writeSection.mjs'
import { root } from '../root.mjs'

/**
 * @typedef {import('./runFaults.mjs').Row} Row
 * @typedef {import('./runSoak.mjs').SoakReport} SoakReport
 */

const file = join(root, 'docs/reliability.md')

const heading = `# Reliability

Read what survives failures, or measure it yourself:

\`\`\`sh
npm run faults                 # each fault alone
npm run soak -- --minutes 60   # faults for an hour
\`\`\`

Both commands write this page. They start two servers, PostgreSQL with \`fsync\`, a mail server and a chain node. Clients repeat each write, with its request id, until it is acknowledged. A checker then compares the database with all acknowledged writes, and uses each session that was signed out, revoked or ended by a new password.`

/** @param {string[]} titles @param {(string | number)[][]} rows */
function writeTable(titles, rows) {
  // Without spaces: the site shows the same.
  const line = (/** @type {(string | number)[]} */ cells) => `|${cells.join('|')}|`
  return [line(titles), line(titles.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

const count = (/** @type {number} */ number) => Math.round(number).toLocaleString('en')
const range = (/** @type {number[]} */ numbers) => `${count(Math.min(...numbers))} to ${count(Math.max(...numbers))}`
const seconds = (/** @type {number} */ milliseconds) => (milliseconds / 1000).toFixed(1)

function describeDay() {
  return `On ${new Date().toISOString().slice(0, 10)}, with ${cpus().length} cores shared with the load and other programs`
}

/** @param {Row[]} rows @param {string[]} leftOut */
export function writeFaults(rows, leftOut) {
  const titles = [
    'fault',
    'requests',
    'acknowledged',
    'lost',
    'doubled',
    'ended sessions',
    'still valid',
    'back after, s',
  ]
  const table = writeTable(
    titles,
    rows.map(({ name, requests, acknowledged, lost, doubled, deadSessions, undead, back }) => {
      return [name, count(requests), count(acknowledged), lost, doubled, deadSessions, undead, seconds(back)]
    }),
  )
  const notes = leftOut.map((reason) => `Left out: ${reason}.`).join(' ')
  const text = `${describeDay()} (load ${range(rows.map(({ load }) => load))}):\n\n${table}${notes && `\n\n${notes}`}`
  writeSection(file, heading, 'Faults', text)
}

/** @param {SoakReport} report */
export function writeSoak(report) {
  const { before, after, load, capacities } = report
  const faults = Object.values(report.disturbances).reduce((sum, times) => sum + times, 0)
  const failures = Object.entries(report.failures).map(([code, times]) => `${count(times)} × ${code}`)
  const size = (/** @type {number} */ kilobytes) => `${(kilobytes / 1024).toFixed(1)} MB`
  const resources = writeTable(
    ['first server', 'start', 'end'],
    [
      ['heap after collection, MB', before.heap.toFixed(1), after.heap.toFixed(1)],
      ['resident memory, MB', count(before.rss), count(after.rss)],
      ['file handles', before.handles, after.handles],
      ['prepared statements', before.statements, after.statements],
      ['database connections, all servers', before.connections, after.connections],
    ],
  )
  const tables = writeTable(
    ['table', 'rows', 'dead rows', 'size', 'vacuums'],
    after.tables.map(({ name, rows, dead, kilobytes, vacuums }) => {
      const [old] = before.tables.filter((table) => table.name === name)
      return [name, count(rows), count(dead), `${size(old?.kilobytes ?? 0)} → ${size(kilobytes)}`, vacuums]
    }),
  )
  const times = writeTable(
    ['p50/p95/p99, ms', 'first ten minutes', 'last ten minutes'],
    Object.entries(report.latencies).map(([kind, { first, last }]) => {
      const show = (/** @type {{ p50: number, p95: number, p99: number }} */ { p50, p95, p99 }) =>
        [p50, p95, p99].map(count).join('/')
      return [{ read: 'reads', write: 'writes', signIn: 'sign-ins' }[kind] ?? kind, show(first), show(last)]
    }),
  )
  const lines = [
    `${describeDay()} (load ${range([load.least, load.most])}): ${count(report.minutes)} minutes at 70 % of the capacity, which changed with that load: ${range(capacities)} requests a second, measured every ten minutes. ${count(report.sent)} requests, ${faults} faults: connections cut, backends and workers killed, workers frozen, mail server down, node hanging or sending nonsense.`,
    `Of ${count(report.acknowledged)} acknowledged writes ${report.lost} were lost and ${report.doubled} doubled; of ${count(report.deadSessions)} ended sessions ${report.undead} were still valid. Failures by status and code: ${failures.join(', ')}. ${report.sockets} live sockets received ${count(report.live.events)} events and ${report.live.resyncs} \`resync\`.`,
    resources,
    `Heap every ten minutes: ${report.heaps.map((heap) => heap.toFixed(1)).join(', ')} MB.`,
    times,
    tables,
  ]
  writeSection(file, heading, 'Soak', lines.join('\n\n'))
}
