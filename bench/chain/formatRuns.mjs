/** @param {import('./measureIndexing.mjs').IndexingFigures[]} runs @returns a table in Markdown */
export function formatRuns(runs) {
  const rows = runs.map((run) => [
    run.name,
    run.logs,
    run.logsPerSecond,
    run.seconds,
    run.secondsWithStart,
    run.indexerCpuSeconds,
    run.databaseCpuSeconds,
    Math.round((1e6 * (run.indexerCpuSeconds + run.databaseCpuSeconds)) / run.logs),
    run.requests,
    run.rssMb,
    run.loadBefore,
  ])
  const titles = [
    '',
    'logs',
    'logs/s',
    's',
    's with start',
    'CPU s',
    'database CPU s',
    'CPU µs a log',
    'requests',
    'MB',
    'load before',
  ]
  return [titles, titles.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}
