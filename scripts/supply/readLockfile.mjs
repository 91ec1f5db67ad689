import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'

/** Packages for development whose code `scripts/steps/bundleServer.mjs` puts into the server. */
export const bundled = [
  '@babel/parser',
  '@bitauth/libauth',
  '@fastify/busboy',
  '@fastify/proxy-addr',
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  'aws4fetch',
  'bson',
  'croner',
  'csv-parse',
  'fastify',
  'find-my-way',
  'hash-wasm',
  'jose',
  'light-my-request',
  'magic-string',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'otpauth',
  'parse',
  'pg',
  'pino',
  'prom-client',
  'tar-stream',
  'viem',
  'ws',
]

/**
 * @typedef {object} LockedPackage
 * @property {string} path below the root, such as node_modules/ws
 * @property {string} name
 * @property {string} version
 * @property {string} [license]
 * @property {boolean} dev not installed by users
 * @property {boolean} bundled part of the product nevertheless
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
  const parts = listParts(packages)
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      ...(entry.license !== undefined && { license: entry.license }),
      dev: entry.dev ?? false,
      bundled: parts.has(path),
      direct: direct.has(path),
      hasInstallScript: entry.hasInstallScript ?? false,
      missing: Object.keys(entry.optionalDependencies ?? {}).filter((name) => !findLocked(packages, path, name)),
    }))
}

/**
 * Paths of all that the bundled packages need.
 *
 * @param {Record<string, Entry>} packages
 */
function listParts(packages) {
  /** @type {Set<string>} */
  const parts = new Set()
  const queue = bundled.map((name) => findLocked(packages, 'packages/server', name))
  for (let path = queue.shift(); queue.length > 0 || path; path = queue.shift()) {
    if (path === undefined || parts.has(path)) continue
    parts.add(path)
    const from = path
    queue.push(...Object.keys(packages[path]?.dependencies ?? {}).map((name) => findLocked(packages, from, name)))
  }
  return parts
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
