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

/** Load of a machine that is too busy to judge. */
const mostLoad = 1

/**
 * The promise about the session check: what must hold (ratios on this machine), and the marks in µs, which were set on
 * another machine and so inform only.
 *
 * @param {Record<string, import('../types.d.ts').Figures>} [sessionCheck]
 * @param {number} [load] of the machine before the run
 * @returns {{ exitCode: number, lines: string[] }}
 */
export function checkTargets(sessionCheck = {}, load = 0) {
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
  const lines = ['Session check, server CPU:', ...promises.map(({ line }) => line), ...others, ...met]
  if (load > mostLoad) return { exitCode: 2, lines: [...lines, `The machine was too busy to judge (load ${load}).`] }
  return { exitCode: promises.every(({ kept }) => kept) ? 0 : 1, lines }
}
