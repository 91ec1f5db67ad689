/** The requests that applications send most. */
export const guarded = ['sessionCheck', 'objectRead', 'objectQuery', 'objectCreate', 'walletSignIn']

const mostGrowth = 1.05
const mostLoad = 1

/**
 * Compares this build with the one before it.
 *
 * @param {Record<string, Record<string, import('../types.d.ts').Figures>>} results by workload and competitor
 * @param {number} load of the machine before the run
 * @returns {{ exitCode: number, lines: string[] }}
 */
export function checkGuard(results, load) {
  const rows = guarded.map((name) => {
    const { countersign: now, 'countersign-before': before } = results[name] ?? {}
    const ratio = now && before ? now.cpuUs / before.cpuUs : Number.NaN
    return { name, ratio, isKept: ratio <= mostGrowth, now, before }
  })
  const lines = rows.map(({ name, ratio, isKept, now, before }) =>
    now && before
      ? `${isKept ? '✓' : '✗'} ${name}: ${Math.round(before.cpuUs)} µs before, ${Math.round(now.cpuUs)} µs now (${ratio.toFixed(2)}, at most ${mostGrowth})`
      : `✗ ${name}: not measured`,
  )
  if (load > mostLoad) return { exitCode: 2, lines: [...lines, `The machine was too busy to judge (load ${load}).`] }
  return { exitCode: rows.every(({ isKept }) => isKept) ? 0 : 1, lines }
}
