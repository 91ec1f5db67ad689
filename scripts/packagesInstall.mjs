// node scripts/packagesInstall.mjs [--only server,templates:vite] [--node 24] [--pictures FOLDER] [--output FILE]: the packages as someone gets them who has
// nothing but a registry. They are packed, served by a registry of our own and installed into empty folders.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildUnits } from './steps/buildUnits.mjs'
import { packPackages } from './steps/packPackages.mjs'
import { root } from './steps/root.mjs'
import { startRegistry } from './steps/startRegistry.mjs'
import { checkExamples } from './strangers/checkExamples.mjs'
import { checkReact } from './strangers/checkReact.mjs'
import { checkReadme } from './strangers/checkReadme.mjs'
import { checkServer } from './strangers/checkServer.mjs'
import { templateChecks } from './strangers/checkTemplates.mjs'
import { tutorialChecks } from './strangers/checkTutorials.mjs'
import { fetchNode } from './strangers/fetchNode.mjs'

/**
 * @typedef {object} Stranger
 * @property {string} folder an empty folder, outside of the repository
 * @property {NodeJS.ProcessEnv} env makes npm use our registry, and the chosen Node.js
 * @property {string} node file of the Node.js that everything runs on
 * @property {string} [pictures] folder for pictures of the templates
 * @property {(text: string) => void} say
 */

/** @type {Record<string, (stranger: Stranger) => Promise<void>>} */
const checks = {
  server: checkServer,
  readme: checkReadme,
  react: checkReact,
  examples: checkExamples,
  ...Object.fromEntries(templateChecks),
  ...Object.fromEntries(tutorialChecks),
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    node: { type: 'string' },
    pictures: { type: 'string' },
    output: { type: 'string' },
  },
})
const wanted = values.only?.split(',').flatMap(list) ?? Object.keys(checks)

/**
 * A check, or those of a group: `tutorials` for `tutorials:dapp` and the others.
 *
 * @param {string} name
 */
function list(name) {
  const found = Object.keys(checks).filter((each) => each === name || each.startsWith(`${name}:`))
  if (found.length === 0) throw new Error(`There is no check "${name}". There are: ${Object.keys(checks).join(', ')}`)
  return found
}

/**
 * Environment whose `node` and `npm` run on that version.
 *
 * @param {string} major
 */
async function chooseNode(major) {
  const node = await fetchNode({ folder: home, env: registry.env, say: console.log }, major)
  if (!node) throw new Error(`Node.js ${major} cannot be fetched.`)
  // Without the path of npm, which would be run by the Node.js of this process.
  return { node, env: { ...registry.env, PATH: `${dirname(node)}:${registry.env.PATH}`, npm_execpath: '' } }
}

await buildUnits()
const home = mkdtempSync(join(tmpdir(), 'countersign-stranger-'))
const registry = await startRegistry(await packPackages(join(root, 'node_modules/.cache/countersign/packed')))
let passed = 0
const faults = []
try {
  const { node, env } = values.node ? await chooseNode(values.node) : { node: process.execPath, env: registry.env }
  for (const name of wanted) {
    const start = performance.now()
    const check = checks[name]
    if (!check) continue
    const folder = mkdtempSync(join(home, `${name.replace(':', '-')}-`))
    console.log(`  ${name}`)
    const say = (/** @type {string} */ text) => console.log(`    ${text}`)
    try {
      await check({ folder, env, node, pictures: values.pictures, say })
      passed++
      console.log(`✓ ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      faults.push({ test: `packages-install › ${name}`, reason: reason.split('\n')[0] })
      console.error(`✗ ${name}\n${reason}`)
    }
  }
} finally {
  registry.stop()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
if (values.output) writeFileSync(values.output, JSON.stringify({ passed, failed: faults.length, faults }))
process.exit(faults.length > 0 ? 1 : 0)
