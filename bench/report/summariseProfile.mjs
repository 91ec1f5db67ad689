import { readFileSync } from 'node:fs'

/**
 * The functions with the most time of their own, in µs a request.
 *
 * @param {string} file a .cpuprofile
 * @param {number} requests answered while it was recorded
 * @param {number} [limit]
 */
export function summariseProfile(file, requests, limit = 30) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'))
  const nodeOf = new Map(nodes.map((/** @type {{ id: number }} */ node) => [node.id, node]))
  /** @type {Map<string, number>} */
  const own = new Map()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = nodeOf.get(id).callFrame
    if (functionName === '(idle)') continue
    const place = url ? ` ${shorten(url)}:${lineNumber + 1}` : ''
    const key = `${functionName || '(anonymous)'}${place}`
    own.set(key, (own.get(key) ?? 0) + timeDeltas[index])
    busy += timeDeltas[index]
  }
  const rows = [...own].sort((left, right) => right[1] - left[1]).slice(0, limit)
  return [
    `${Math.round(busy / requests)} µs of the main thread a request (with the cost of sampling)`,
    '',
    '| µs | % | function |',
    '|---:|---:|---|',
    ...rows.map(
      ([name, time]) => `| ${(time / requests).toFixed(1)} | ${((100 * time) / busy).toFixed(1)} | ${name} |`,
    ),
  ].join('\n')
}

/** @param {string} url */
function shorten(url) {
  return url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/packages\//, 'packages/')
}
