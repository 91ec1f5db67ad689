const required = [
  { other: 'better-auth', times: 12 },
  { other: 'parse-server', times: 20 },
]

const wished = [
  { name: 'countersign', atMostUs: 240 },
  { name: 'countersign-cached', atMostUs: 150 },
]

/**
 * The promise about the session check: what must hold (ratios on this machine), and the marks in µs, which were set on
 * another machine and so inform only.
 *
 * @param {Record<string, import('../types.d.ts').Figures> | undefined} sessionCheck
 * @returns {{ kept: boolean, lines: string[] }}
 */
export function checkTargets(sessionCheck) {
  const ours = sessionCheck?.countersign
  if (!ours) return { kept: false, lines: ['✗ sessionCheck was not measured for countersign'] }
  const promises = required.map(({ other, times }) => {
    const theirs = sessionCheck[other]
    if (!theirs) return { kept: false, line: `✗ sessionCheck was not measured for ${other}` }
    const ratio = theirs.cpuUs / ours.cpuUs
    const kept = ratio >= times
    return { kept, line: `${kept ? '✓' : '✗'} ${ratio.toFixed(1)} times less CPU than ${other} (at least ${times})` }
  })
  const marks = wished.flatMap(({ name, atMostUs }) => {
    const figures = sessionCheck[name]
    if (!figures) return []
    const met = figures.cpuUs <= atMostUs ? 'met' : 'not met here'
    return `  ${name}: ${Math.round(figures.cpuUs)} µs a session check; mark ${atMostUs} µs ${met}`
  })
  return { kept: promises.every(({ kept }) => kept), lines: [...promises.map(({ line }) => line), ...marks] }
}
