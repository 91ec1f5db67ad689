// npm run test:nodes [-- --only 24,26] [-- --all]: server tests on the other supported versions of Node.js, with a start
// of the built product. npm has the programs, so nothing is installed on the machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildUnits } from './steps/buildUnits.mjs'
import { root } from './steps/root.mjs'
import { runAloud } from './steps/run/runAloud.mjs'
import { fetchNode, newerNodes } from './strangers/fetchNode.mjs'

/** Tests of what differs between versions: native packages, processes, streams, sockets, loading of TypeScript. */
const part = [
  'server/src/cli/start.embedded',
  'server/src/http/staticFiles',
  'server/src/push/',
  'server/src/users/accounts',
  'server/src/auth/passkeys/passkeys',
  'server/src/functions/',
  'server/src/files/largeUpload',
  'server/src/live/resume',
]

const { values } = parseArgs({
  options: { only: { type: 'string' }, all: { type: 'boolean', default: false } },
})
const versions = values.only?.split(',') ?? [...new Set([process.versions.node.split('.')[0] ?? '', ...newerNodes])]
await buildUnits()
const folder = mkdtempSync(join(tmpdir(), 'countersign-nodes-'))
const results = []
try {
  for (const version of versions) {
    const isOwn = version === process.versions.node.split('.')[0]
    const say = (/** @type {string} */ text) => console.log(text)
    const node = isOwn ? process.execPath : await fetchNode({ folder, env: process.env, say }, version)
    if (!node) {
      results.push({ version, result: 'not available here' })
      continue
    }
    console.log(`\n━━ Node.js ${version}`)
    const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, NODE_OPTIONS: '' }
    const words = ['run', '--project', 'server-embedded', ...(values.all ? [] : part)]
    const code = await runAloud(node, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], { env })
    results.push({ version, result: code === 0 ? 'passed' : 'failed' })
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
for (const { version, result } of results) console.log(`Node.js ${version}: ${result}`)
process.exit(results.some(({ result }) => result === 'failed') ? 1 : 0)
