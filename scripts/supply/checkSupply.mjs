import { readFileSync } from 'node:fs'

/** @typedef {import('./readLockfile.mjs').LockedPackage} LockedPackage */
/**
 * @typedef {object} Policy
 * @property {string[]} licenses that any package may have
 * @property {Record<string, { license: string, reason: string }>} licenseExceptions by name; `*` at its end is any text
 * @property {Record<string, string>} installScripts reasons why a package may have one, by name
 */
/**
 * @typedef {object} Advisory
 * @property {string} id
 * @property {string} package
 * @property {string} range of affected versions
 * @property {'moderate' | 'high' | 'critical'} severity
 * @property {string} reason of the fix, or of no effect on us
 * @property {boolean} [accepted] an affected version may stay, for the reason
 */

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** @returns {Policy} */
export const readPolicy = () => read('policy.json')

/** @returns {Advisory[]} */
export const readAdvisories = () => read('advisories.json')

/**
 * Finds licenses outside the list, install scripts without a reason, and unused exceptions.
 *
 * @param {LockedPackage[]} packages
 * @param {Policy} policy
 * @returns {string[]} faults, a sentence each
 */
export function checkPackages(packages, { licenses, licenseExceptions, installScripts }) {
  const faults = []
  const used = new Set()
  for (const { name, version, license, hasInstallScript, missing } of packages) {
    if (!isAllowed(license, licenses)) {
      const [pattern, exception] = Object.entries(licenseExceptions).find(([each]) => fits(name, each)) ?? []
      const isKnown = exception && (license === undefined || isAllowed(license, [...licenses, exception.license]))
      if (isKnown) used.add(pattern)
      else faults.push(`${name}@${version} has the license ${license ?? '(none)'}, which policy.json does not allow.`)
    }
    if (hasInstallScript && !Object.hasOwn(installScripts, name))
      faults.push(`${name}@${version} has an install script: replace it, or give a reason in policy.json.`)
    if (hasInstallScript) used.add(`script of ${name}`)
    for (const other of missing) faults.push(`${name}@${version} needs ${other}, which package-lock.json lacks.`)
  }
  const kept = [...Object.keys(licenseExceptions), ...Object.keys(installScripts).map((name) => `script of ${name}`)]
  for (const each of kept) if (!used.has(each)) faults.push(`policy.json allows more than is needed: ${each}.`)
  return faults
}

/**
 * Known high advisories of direct dependencies, and of everything that is part of the product.
 *
 * @param {LockedPackage[]} packages
 * @param {Advisory[]} advisories
 */
export function checkAdvisories(packages, advisories) {
  return advisories
    .filter(({ severity, accepted }) => severity !== 'moderate' && !accepted)
    .flatMap(({ id, package: name, range, severity }) =>
      packages
        .filter(
          (each) => each.name === name && (each.direct || !each.dev || each.bundled) && isInRange(each.version, range),
        )
        .map(({ version, path }) => `${name}@${version} (${path}) has the ${severity} advisory ${id}: ${range}.`),
    )
}

/**
 * An SPDX expression without parentheses inside of others: `MIT OR Apache-2.0`, `(MIT AND ISC)`.
 *
 * @param {string | undefined} license
 * @param {string[]} allowed
 */
function isAllowed(license, allowed) {
  if (license === undefined) return false
  return license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.includes(each)))
}

/**
 * @param {string} name
 * @param {string} pattern
 */
function fits(name, pattern) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/**
 * Tests if a version is in a range such as `<3.0.1 || >=4.0.0 <4.2.0`. A pre-release counts as its release.
 *
 * @param {string} version
 * @param {string} range
 */
export function isInRange(version, range) {
  return range.split('||').some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((comparison) => {
        const [, operator, bound] = /^(<=|>=|<|>|=)(\d+\.\d+\.\d+)$/.exec(comparison) ?? []
        if (bound === undefined) throw new Error(`"${comparison}" of the range "${range}" cannot be read.`)
        const order = compare(version, bound)
        if (operator === '<') return order < 0
        if (operator === '<=') return order <= 0
        if (operator === '>') return order > 0
        return operator === '=' ? order === 0 : order >= 0
      }),
  )
}

/**
 * @param {string} one
 * @param {string} other
 */
function compare(one, other) {
  const numbers = (/** @type {string} */ text) => (text.split(/[-+]/, 1)[0] ?? '').split('.').map(Number)
  const theirs = numbers(other)
  return numbers(one).reduce((order, number, place) => order || number - (theirs[place] ?? 0), 0)
}
