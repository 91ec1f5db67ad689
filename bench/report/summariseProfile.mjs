import { readFileSync } from 'node:fs'

/**
 * Time of the main thread in µs: by package (ours by file), then by function. Own time only, so that the rows add up.
 *
 * @param {string} file a .cpuprofile
 * @param {number} requests while it was recorded
 * @param {string} [unit] counted unit
 * @param {number} [limit] of functions
 */
export function summariseProfile(file, requests, unit = 'request', limit = 30) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'))
  const nodeOf = new Map(nodes.map((/** @type {{ id: number }} */ node) => [node.id, node]))
  // Starting the recording is in it too, and is no work of the server's.
  const recording = new Set(
    nodes.flatMap((/** @type {{ id: number, children?: number[], callFrame: { url: string } }} */ node) =>
      node.callFrame.url === 'node:inspector' ? [node.id, ...(node.children ?? [])] : [],
    ),
  )
  /** @type {Map<string, number>} */
  const byPlace = new Map()
  /** @type {Map<string, number>} */
  const byFunction = new Map()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = nodeOf.get(id).callFrame
    if (functionName === '(idle)' || recording.has(id)) continue
    const time = timeDeltas[index]
    const name = functionName || '(anonymous)'
    const key = url ? `${name} ${shorten(url)}:${lineNumber + 1}` : name
    const place = url ? placeOf(url) : name.startsWith('(') ? name : 'native calls'
    byFunction.set(key, (byFunction.get(key) ?? 0) + time)
    byPlace.set(place, (byPlace.get(place) ?? 0) + time)
    busy += time
  }
  const table = (/** @type {string} */ title, /** @type {Map<string, number>} */ times) => [
    '',
    `| µs | % | ${title} |`,
    '|---:|---:|---|',
    ...[...times]
      .sort((left, right) => right[1] - left[1])
      .slice(0, limit)
      .map(([name, time]) => `| ${(time / requests).toFixed(1)} | ${((100 * time) / busy).toFixed(1)} | ${name} |`),
  ]
  return [
    `${Math.round(busy / requests)} µs of the main thread a ${unit}, with the cost of sampling`,
    ...table('place', byPlace),
    ...table('function', byFunction),
  ].join('\n')
}

/** @param {string} url */
function shorten(url) {
  return url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/packages\//, 'packages/')
    .replace(/^.*\/bench\//, 'bench/')
}

/** @param {string} url */
function placeOf(url) {
  if (url.startsWith('node:')) return 'Node.js'
  const short = shorten(url)
  if (!url.includes('/node_modules/')) return short
  return short.startsWith('@') ? short.split('/', 2).join('/') : (short.split('/', 1)[0] ?? short)
}
