import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'

/**
 * @typedef {object} LockedPackage
 * @property {string} path below the root, such as node_modules/ws
 * @property {string} name
 * @property {string} version
 * @property {string} [license]
 * @property {boolean} dev neither published nor part of the product
 * @property {boolean} direct named by one of our packages
 * @property {boolean} hasInstallScript
 * @property {string[]} missing optional dependencies without an entry
 */

/**
 * @typedef {{ name?: string, version?: string, license?: string, dev?: boolean, link?: boolean, resolved?: string,
 *   integrity?: string, hasInstallScript?: boolean, dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Entry
 */

/**
 * Lists what the lockfile installs, without our own packages.
 *
 * @param {{ packages: Record<string, Entry> }} [lock]
 * @returns {LockedPackage[]}
 */
export function readLockfile(lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))) {
  const { packages } = lock
  const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'))
  const direct = new Set(
    own.flatMap(([path, { dependencies, devDependencies }]) =>
      Object.keys({ ...dependencies, ...devDependencies }).map((name) => findLocked(packages, path, name)),
    ),
  )
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      ...(entry.license !== undefined && { license: entry.license }),
      dev: entry.dev ?? false,
      direct: direct.has(path),
      hasInstallScript: entry.hasInstallScript ?? false,
      missing: Object.keys(entry.optionalDependencies ?? {}).filter((name) => !findLocked(packages, path, name)),
    }))
}

/**
 * Path of the package that `name` means for the package at `from`.
 *
 * @param {Record<string, Entry>} packages
 * @param {string} from
 * @param {string} name
 */
export function findLocked(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
  }
}
