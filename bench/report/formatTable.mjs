/**
 * One workload as a Markdown table. A ratio tells how many times the CPU of ours it takes.
 *
 * @param {import('../types.d.ts').Workload} workload
 * @param {Record<string, import('../types.d.ts').Figures>} figures by competitor
 */
export function formatTable(workload, figures) {
  const ours = figures.countersign
  const ratio = (/** @type {'cpuUs' | 'loopCpuUs'} */ key, /** @type {import('../types.d.ts').Figures} */ row) =>
    ours ? `${(row[key] / ours[key]).toFixed(1)}×` : ''
  const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US')
  /** @type {{ title: string, of(row: import('../types.d.ts').Figures): string }[]} */
  const columns = [
    { title: `${workload.unit ? `${workload.unit}s` : 'req'}/s`, of: (row) => whole(row.rps) },
    { title: 'p50 ms', of: (row) => row.p50.toFixed(1) },
    { title: 'p99 ms', of: (row) => row.p99.toFixed(1) },
    { title: 'server CPU µs', of: (row) => (row.cpuUs < 100 ? row.cpuUs.toFixed(1) : whole(row.cpuUs)) },
    { title: '± %', of: (row) => whole(row.spread / 2) },
    { title: 'of ours', of: (row) => ratio('cpuUs', row) },
    ...(workload.password
      ? [
          {
            title: 'without hash µs',
            of: (/** @type {import('../types.d.ts').Figures} */ row) => whole(row.loopCpuUs),
          },
          { title: 'of ours', of: (/** @type {import('../types.d.ts').Figures} */ row) => ratio('loopCpuUs', row) },
        ]
      : []),
    ...(Object.values(figures).some(({ writeCpuUs }) => writeCpuUs !== undefined)
      ? [
          {
            title: 'a write alone µs',
            of: (/** @type {import('../types.d.ts').Figures} */ row) => whole(row.writeCpuUs ?? 0),
          },
        ]
      : []),
    // Below 95 % the server waited for the load generator or the database.
    { title: 'busy %', of: (row) => whole((row.loopCpuUs * row.rps) / 10_000) },
    { title: 'database CPU µs', of: (row) => whole(row.dbCpuUs) },
    { title: 'allocated kB', of: (row) => row.allocatedKb.toFixed(1) },
    { title: 'memory MB', of: (row) => whole(row.rssMb) },
  ]
  return [
    `### ${workload.title} (\`${workload.name}\`)`,
    '',
    workload.about,
    '',
    `| | ${columns.map(({ title }) => title).join(' | ')} |`,
    `|---|${columns.map(() => '---:').join('|')}|`,
    ...Object.entries(figures).map(([name, row]) => `| ${name} | ${columns.map(({ of }) => of(row)).join(' | ')} |`),
  ].join('\n')
}
