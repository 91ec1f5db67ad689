/** Noise of a shared machine, and caches that no longer hold everything. */
const tolerance = 1.5

/**
 * Allowed growth of a cost: none, with the response, with every row that is read, with the rows that are skipped, or with
 * the rows up to the limit below which they are counted. Default: logarithmic.
 *
 * @typedef {'flat' | 'response' | 'all' | 'skipped' | 'cheap' | undefined} Expected
 */

const reasons = {
  response: 'the response grows',
  all: 'reads every row',
  skipped: 'reads the rows that it skips',
  cheap: 'exact while that is cheap',
}

/**
 * Compares the cost at the first and the last size with the expected growth.
 *
 * @param {{ size: number, server: number, database: number }[]} points
 * @param {Expected} expected
 */
export function markGrowth(points, expected) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first === last) return 'one size only'
  const grown = (last.server + last.database) / (first.server + first.database)
  const text = `${grown.toFixed(2)} times`
  if (expected === 'flat') return grown <= tolerance ? `${text}: flat` : `worse than flat: ${text}`
  if (expected) return `${text}: ${reasons[expected]}`
  const logarithmic = Math.log2(last.size + 1) / Math.log2(first.size + 1)
  return grown <= logarithmic * tolerance ? `${text}: logarithmic or better` : `worse than logarithmic: ${text}`
}
