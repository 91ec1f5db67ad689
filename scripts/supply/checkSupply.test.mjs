import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps/root.mjs'
import { checkAdvisories, checkPackages, isInRange, readAdvisories, readPolicy } from './checkSupply.mjs'
import { readLockfile } from './readLockfile.mjs'

const packages = readLockfile()
const policy = readPolicy()

test('every package has an allowed license, none runs a script without a reason, and no platform is missing', () => {
  expect(packages.length).toBeGreaterThan(500)
  expect(checkPackages(packages, policy)).toEqual([])
})

test('published and bundled packages have no install script', () => {
  expect(packages.filter(({ hasInstallScript, dev }) => hasInstallScript && !dev)).toEqual([])
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(allowScripts).toEqual(Object.fromEntries(Object.keys(policy.installScripts).map((name) => [name, false])))
})

test('no direct dependency has a known high advisory', () => {
  const advisories = readAdvisories()
  expect(checkAdvisories(packages, advisories)).toEqual([])
  for (const { id, package: name, range, severity, reason } of advisories) {
    expect([id, ['moderate', 'high', 'critical'].includes(severity), reason.length > 10]).toEqual([id, true, true])
    expect(isInRange('0.0.0', range), `${name} ${range}`).toBeTypeOf('boolean')
  }
  expect(new Set(advisories.map(({ id }) => id)).size).toBe(advisories.length)
})

/** @param {object} entry */
const plant = (entry) =>
  readLockfile({
    packages: {
      '': { dependencies: { planted: '1.2.3' } },
      'packages/own': { devDependencies: { tool: '1.0.0' } },
      'node_modules/planted': { version: '1.2.3', license: 'MIT', ...entry },
      'node_modules/tool': { version: '1.0.0', license: 'MIT', dev: true },
      'node_modules/tool/node_modules/deep': { version: '1.0.0', license: 'MIT', dev: true },
    },
  })
const strict = { licenses: ['MIT', 'ISC'], licenseExceptions: {}, installScripts: {} }

test.each([
  [{ license: 'GPL-3.0-only' }, 'planted@1.2.3 has the license GPL-3.0-only'],
  [{ license: 'MIT AND GPL-3.0-only' }, 'planted@1.2.3 has the license MIT AND GPL-3.0-only'],
  [{ license: 'mit' }, 'planted@1.2.3 has the license mit'],
  [{ license: undefined }, 'planted@1.2.3 has the license (none)'],
  [{ hasInstallScript: true }, 'planted@1.2.3 has an install script'],
  [{ optionalDependencies: { 'planted-linux-arm64': '1.2.3' } }, 'needs planted-linux-arm64'],
])('a planted fault is named: %j', (entry, fault) => {
  expect(checkPackages(plant(entry), strict)).toEqual([expect.stringContaining(fault)])
})

test('a choice of licenses needs one that is allowed, and an exception that nothing needs is a fault', () => {
  expect(checkPackages(plant({ license: '(GPL-3.0-only OR ISC)' }), strict)).toEqual([])
  const licenseExceptions = { 'plan*': { license: 'MPL-2.0', reason: 'for this test' } }
  expect(checkPackages(plant({ license: 'MPL-2.0' }), { ...strict, licenseExceptions })).toEqual([])
  expect(checkPackages(plant({ license: 'GPL-3.0-only' }), { ...strict, licenseExceptions })).toHaveLength(2)
  expect(checkPackages(plant({}), { ...strict, licenseExceptions, installScripts: { planted: 'x' } })).toEqual([
    'policy.json allows more than is needed: plan*.',
    'policy.json allows more than is needed: script of planted.',
  ])
})

test('a high advisory counts for direct dependencies and the product, unless it is accepted with a reason', () => {
  const advisory = (/** @type {object} */ fields) => [
    {
      id: 'GHSA-x',
      package: 'planted',
      range: '<1.2.4',
      severity: /** @type {const} */ ('high'),
      reason: 'r',
      ...fields,
    },
  ]
  expect(checkAdvisories(plant({}), advisory({}))).toEqual([expect.stringContaining('planted@1.2.3')])
  expect(checkAdvisories(plant({}), advisory({ severity: 'critical' }))).toHaveLength(1)
  expect(checkAdvisories(plant({}), advisory({ package: 'tool', range: '<=1.0.0' }))).toHaveLength(1)
  expect(checkAdvisories(plant({}), advisory({ package: 'deep', range: '<=1.0.0' }))).toEqual([])
  for (const fields of [{ range: '<1.2.3' }, { severity: 'moderate' }, { accepted: true }])
    expect(checkAdvisories(plant({}), advisory(fields))).toEqual([])
})

test.each([
  ['1.2.3', '<1.2.4', true],
  ['1.10.0', '<1.9.9', false],
  ['1.2.3', '<=1.2.3', true],
  ['1.2.3', '>1.2.3', false],
  ['1.2.3', '=1.2.3', true],
  ['9.1.3', '>=8.0.0 <9.1.1', false],
  ['9.0.0', '<1.0.0 || >=8.0.0 <9.1.1', true],
  ['2.0.0-beta.1', '>=2.0.0', true],
])('%s in %s is %s', (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected)
})

test('a range that cannot be read is an error, not a pass', () => {
  expect(() => isInRange('1.0.0', '^1.0.0')).toThrow('cannot be read')
})
