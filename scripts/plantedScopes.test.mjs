import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scopeFaults } from './steps/planted/listPlantedFaults.mjs'
import { root } from './steps/root.mjs'

/** Runs the property test of scopes, with a fault in the sources of the server. @param {object} fault */
async function runProperty(fault) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
  const args = ['run', '--project', 'server-postgres', 'scopes/scopedIsSubset']
  const child = spawn(join(root, 'node_modules/.bin/vitest'), args, {
    cwd: root,
    env: { ...Object.fromEntries(own), PLANTED_FAULT: JSON.stringify(fault), NO_COLOR: '1', SCOPE_CASES: '600' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

test.for(scopeFaults)('the property test of scopes finds: $name', { timeout: 900_000 }, async (fault) => {
  const { code, output } = await runProperty(fault)
  expect(output).toContain(`planted in ${fault.module}`)
  expect(output).toMatch(fault.expected)
  expect(code).toBe(1)
})
