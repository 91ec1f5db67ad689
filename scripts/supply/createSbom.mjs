import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'
import { bundled, findLocked } from './readLockfile.mjs'

/** Our packages that are published, and the web application, which the server's package contains. */
const products = ['packages/server', 'packages/protocol', 'packages/react', 'packages/moralis', 'apps/web']

/** @typedef {import('./readLockfile.mjs').Entry} Entry */

/**
 * The components of the product as CycloneDX 1.5: what users install, and what is bundled. `npm sbom` would leave out
 * the bundled ones, and refuses the ranges of a tool. The same lockfile gives the same bytes.
 *
 * @param {{ packages: Record<string, Entry> }} [lock]
 */
export function createSbom(lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))) {
  const { packages } = lock
  /** @type {Map<string, { path: string, needs: string[], isOptional: boolean }>} */
  const found = new Map()
  const queue = products.map((path) => ({ path, isOptional: false }))
  for (let next = queue.shift(); next; next = queue.shift()) {
    const known = found.get(next.path)
    if (known && (!known.isOptional || next.isOptional)) continue
    const needs = listNeeds(packages, next.path)
    found.set(next.path, { ...next, needs: needs.map(({ path }) => path) })
    for (const { path, isOptional } of needs) queue.push({ path, isOptional: isOptional || next.isOptional })
  }
  const toRef = (/** @type {string} */ path) => toPurl(nameOf(path, packages[path]), packages[path]?.version)
  const components = new Map([...found].map(([path, { isOptional }]) => [toRef(path), describe(path, isOptional)]))
  /** @type {Map<string, Set<string>>} */
  const links = new Map()
  for (const [path, { needs }] of found)
    links.set(toRef(path), new Set([...(links.get(toRef(path)) ?? []), ...needs.map(toRef)]))
  const [main] = components.values()
  const rest = [...components.values()].slice(1).sort((one, other) => (one.purl < other.purl ? -1 : 1))
  const dependencies = [...links]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() }))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${toUuid(JSON.stringify([rest, dependencies]))}`,
    version: 1,
    metadata: { component: { ...main, type: 'application' } },
    components: rest,
    dependencies,
  }

  /**
   * @param {string} path
   * @param {boolean} isOptional
   */
  function describe(path, isOptional) {
    const { version = '', license, integrity } = packages[path] ?? {}
    const name = nameOf(path, packages[path])
    const purl = toPurl(name, version)
    const [group, local] = name.startsWith('@') ? name.split('/') : [undefined, name]
    const [algorithm, digest] = integrity?.split(' ')[0]?.split('-') ?? []
    return {
      type: 'library',
      'bom-ref': purl,
      ...(group && { group }),
      name: local,
      version,
      scope: isOptional ? 'optional' : 'required',
      ...(algorithm === 'sha512' &&
        digest && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
      licenses:
        license === undefined ? [] : [/ /.test(license) ? { expression: license } : { license: { id: license } }],
      purl,
    }
  }
}

/**
 * @param {Record<string, Entry>} packages
 * @param {string} path
 */
function listNeeds(packages, path) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path] ?? {}
  const isOwn = products.includes(path)
  // Peers of our packages come from the application; those of others are installed with them.
  const peers = Object.keys(isOwn ? {} : (peerDependencies ?? {})).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  )
  const needed = [...Object.keys(dependencies ?? {}), ...peers, ...(path === 'packages/server' ? bundled : [])]
  const toNeed = (/** @type {string} */ name, /** @type {boolean} */ isOptional) => {
    const at = findLocked(packages, path, name)
    if (at === undefined) return []
    const { link, resolved } = packages[at] ?? {}
    return [{ path: link && resolved ? resolved : at, isOptional }]
  }
  return [
    ...needed.flatMap((name) => toNeed(name, false)),
    ...Object.keys(optionalDependencies ?? {}).flatMap((name) => toNeed(name, true)),
  ]
}

/**
 * @param {string} path
 * @param {Entry | undefined} entry
 */
function nameOf(path, entry) {
  return entry?.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * @param {string} name
 * @param {string} [version]
 */
function toPurl(name, version = '') {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** @param {string} text */
function toUuid(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
