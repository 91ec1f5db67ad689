import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps/root.mjs'
import { createSbom } from './createSbom.mjs'
import { listUnknown } from './listUnknown.mjs'
import { readLockfile } from './readLockfile.mjs'

const sbom = createSbom()
const refs = [sbom.metadata.component, ...sbom.components].map((component) => component?.['bom-ref'])

test('the SBOM has what CycloneDX 1.5 requires, each component once, and links only to components', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
  expect(sbom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(new Set(refs).size).toBe(refs.length)
  for (const component of sbom.components) {
    expect(component).toMatchObject({
      type: 'library',
      name: expect.any(String),
      version: expect.stringMatching(/^\d/),
    })
    expect(component.purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/)
    if (!component.purl.includes('countersign')) {
      expect(component.licenses, component.purl).toHaveLength(1)
      expect(component.hashes?.[0]?.content, component.purl).toMatch(/^[0-9a-f]{128}$/)
    }
  }
  for (const { ref, dependsOn } of sbom.dependencies)
    for (const each of [ref, ...dependsOn]) expect(refs).toContain(each)
  expect(JSON.stringify(createSbom())).toBe(JSON.stringify(sbom))
})

test('the SBOM names every direct dependency of the product, the builds for other machines and no tool', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'))
  const names = sbom.components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  for (const name of Object.keys(dependencies)) expect(names).toContain(name)
  for (const name of ['react', 'viem', 'parse', '@node-rs/argon2-linux-arm64-gnu', '@countersign/web'])
    expect(names).toContain(name)
  for (const name of ['vitest', 'vite', 'playwright', 'lighthouse', 'typescript']) expect(names).not.toContain(name)
})

test('the SBOM names all that is bundled into the server', () => {
  const text = readFileSync(join(root, 'packages/server/dist/third-party-licenses.txt'), 'utf8')
  const bundled = text.split(`\n${'-'.repeat(80)}\n`).map((part) =>
    part
      .trim()
      .split(' (', 1)[0]
      ?.replace(/ (?=[^ ]*$)/, '@'),
  )
  expect(bundled.length).toBeGreaterThan(20)
  const all = sbom.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`)
  expect(bundled.filter((each) => each && !all.includes(each))).toEqual([])
})

test('a report of the registry gives the high advisories that the list lacks', () => {
  const packages = readLockfile({
    packages: {
      '': { dependencies: { planted: '1.2.3' } },
      'node_modules/planted': { version: '1.2.3' },
      'node_modules/tool': { version: '1.0.0', dev: true },
    },
  })
  const via = (/** @type {string} */ id, /** @type {string} */ severity) => ({
    ...{ name: 'planted', url: `https://github.com/advisories/${id}`, severity, range: '>=1.0.0, <1.2.4' },
  })
  const report = JSON.stringify({
    vulnerabilities: {
      planted: {
        nodes: ['node_modules/planted'],
        via: [via('GHSA-1', 'high'), via('GHSA-2', 'moderate'), via('GHSA-3', 'critical'), 'other'],
      },
      tool: { nodes: ['node_modules/tool'], via: [{ ...via('GHSA-4', 'high'), name: 'tool' }] },
    },
  })
  const known = [
    { id: 'GHSA-3', package: 'planted', range: '<1.2.4', severity: /** @type {const} */ ('critical'), reason: 'r' },
  ]
  expect(listUnknown(report, packages, known)).toEqual([
    { id: 'GHSA-1', package: 'planted', range: '>=1.0.0 <1.2.4', severity: 'high', reason: '' },
  ])
  for (const failed of ['', 'npm error 404', '{"error":{"code":"ENOTFOUND"}}', '{"message":"{}"}'])
    expect(listUnknown(failed, packages, known)).toBeUndefined()
})
