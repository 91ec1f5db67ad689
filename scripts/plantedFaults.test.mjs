import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { buildUnits } from './steps/buildUnits.mjs'
import { attackFaults } from './steps/planted/listPlantedFaults.mjs'
import { root } from './steps/root.mjs'
import { keys, startCountersign } from './steps/servers/startCountersign.mjs'

const preload = new URL('steps/planted/plantFault.mjs', import.meta.url).href

/** @type {(() => unknown)[]} */
let closing = []

beforeAll(() => buildUnits(), 300_000)
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

/** Starts the built server with a fault of its code, and attacks it by the command. @param {typeof attackFaults[0]} fault */
async function attack({ class: only, module, from, to }) {
  const server = await startCountersign({ PLANTED_FAULT: JSON.stringify({ module, from, to }) }, [], {
    program: 'dist/cli/main.js',
    preload,
  })
  closing.push(server.stop)
  expect(server.output()).toContain(`planted in ${module}`)
  const { body } = await server.call('POST', '/users', { username: 'administrator', password: 'a long password' })
  await server.call('PUT', `/console/operators/${body.objectId}`, { role: 'admin' })
  const folder = mkdtempSync(join(tmpdir(), 'countersign-planted-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const report = join(folder, 'report.json')
  const command = ['attack', `http://127.0.0.1:${server.port}`, '--only', only, '--report', report]
  const { code } = await promisify(execFile)(
    process.execPath,
    [join(root, 'packages/server/bin/countersign.js'), ...command],
    { env: { ...process.env, COUNTERSIGN_MASTER_KEY: keys.masterKey } },
  ).catch((error) => error)
  const { findings, stopped } = JSON.parse(readFileSync(report, 'utf8'))
  /** @type {string[]} */
  const messages = findings.map((/** @type {{ message: string }} */ finding) => finding.message)
  return { code, stopped, messages: messages.join('\n') }
}

test.for(attackFaults)('the attack finds: $name', { timeout: 900_000 }, async (fault) => {
  const { code, stopped, messages } = await attack(fault)
  expect(messages).toMatch(fault.expected)
  expect([code, stopped]).toEqual([1, undefined])
})
