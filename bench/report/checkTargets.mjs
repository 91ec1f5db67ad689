/** Each as shipped. */
const required = [
  { ours: 'countersign', other: 'better-auth', times: 12 },
  { ours: 'countersign', other: 'parse-server', times: 20 },
]

/** Pairs without a session cache, in which every check asks the database. */
const told = [
  { ours: 'countersign-uncached', other: 'better-auth' },
  { ours: 'countersign-uncached', other: 'parse-server-uncached' },
]

const marks = [
  { name: 'countersign-uncached', atMostUs: 240 },
  { name: 'countersign', atMostUs: 150 },
]

/**
 * The promise about the session check: what must hold (ratios on this machine), and the marks in µs, which were set on
 * another machine and so inform only.
 *
 * @param {Record<string, import('../types.d.ts').Figures>} [sessionCheck]
 * @returns {{ kept: boolean, lines: string[] }}
 */
export function checkTargets(sessionCheck = {}) {
  const ratio = (/** @type {{ ours: string, other: string }} */ { ours, other }) =>
    (sessionCheck[other]?.cpuUs ?? Number.NaN) / (sessionCheck[ours]?.cpuUs ?? Number.NaN)

  const promises = required.map((promise) => {
    const times = ratio(promise)
    const kept = times >= promise.times
    const found = Number.isNaN(times) ? 'not measured' : `${times.toFixed(1)} times less CPU`
    return {
      kept,
      line: `${kept ? '✓' : '✗'} ${promise.ours} against ${promise.other}: ${found} (at least ${promise.times})`,
    }
  })
  const others = told
    .filter((pair) => !Number.isNaN(ratio(pair)))
    .map((pair) => `  ${pair.ours} against ${pair.other}: ${ratio(pair).toFixed(1)} times less CPU`)
  const met = marks
    .filter(({ name }) => sessionCheck[name])
    .map(({ name, atMostUs }) => {
      const { cpuUs } = sessionCheck[name]
      return `  ${name}: ${Math.round(cpuUs)} µs a session check; mark ${atMostUs} µs, ${cpuUs <= atMostUs ? 'met' : 'not met on this machine'}`
    })
  return {
    kept: promises.every(({ kept }) => kept),
    lines: ['Session check, server CPU:', ...promises.map(({ line }) => line), ...others, ...met],
  }
}
