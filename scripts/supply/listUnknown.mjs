/**
 * High advisories of `npm audit --json` for direct dependencies and for the product that the list lacks.
 *
 * @param {string} output
 * @param {import('./readLockfile.mjs').LockedPackage[]} packages
 * @param {import('./checkSupply.mjs').Advisory[]} known
 * @returns {import('./checkSupply.mjs').Advisory[] | undefined} undefined if the registry gave none
 */
export function listUnknown(output, packages, known) {
  /** @type {{ vulnerabilities?: Record<string, { nodes?: string[], via?: (string | Record<string, string>)[] }> }} */
  let report
  try {
    report = JSON.parse(output.slice(output.indexOf('{')))
  } catch {
    return undefined
  }
  if (typeof report?.vulnerabilities !== 'object') return undefined
  const watched = new Set(packages.filter(({ direct, dev }) => direct || !dev).map(({ path }) => path))
  const listed = new Set(known.map(({ id }) => id))
  return Object.values(report.vulnerabilities)
    .filter(({ nodes = [] }) => nodes.some((path) => watched.has(path)))
    .flatMap(({ via = [] }) => via.filter((each) => typeof each !== 'string'))
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ url = '', name = '', range = '', severity }) => ({
      ...{ id: url.slice(url.lastIndexOf('/') + 1), package: name, range: range.replaceAll(', ', ' ') },
      ...{ severity: /** @type {'high'} */ (severity), reason: '' },
    }))
    .filter(({ id }, place, all) => !listed.has(id) && all.findIndex((other) => other.id === id) === place)
}
