// npm run advisories: compares scripts/supply/advisories.json with the registry. A high advisory of a direct dependency
// that the list lacks fails. Where the registry has no advisories, it says so and checks the list alone.
import { npmCommand } from './steps/programs/npmCommand.mjs'
import { root } from './steps/root.mjs'
import { runQuietly } from './steps/run/runQuietly.mjs'
import { checkAdvisories, readAdvisories } from './supply/checkSupply.mjs'
import { listUnknown } from './supply/listUnknown.mjs'
import { readLockfile } from './supply/readLockfile.mjs'

const packages = readLockfile()
const known = readAdvisories()
const faults = checkAdvisories(packages, known)
for (const fault of faults) console.error(`✗ ${fault}`)

const { command, parameters, env } = npmCommand(['audit', '--json', '--loglevel=silent'])
const { output } = await runQuietly(command, parameters, { cwd: root, env })
const unknown = listUnknown(output, packages, known)
if (unknown === undefined) {
  console.log('The registry has no advisories for this machine (npm audit failed). Only the list was checked.')
} else if (unknown.length > 0) {
  console.error('Update these packages, or add to scripts/supply/advisories.json, with a reason:')
  console.error(JSON.stringify(unknown, null, 2))
}
const count = `${known.length} advisories listed, ${faults.length} affect a version in use`
console.log(unknown === undefined ? `${count}.` : `${count}, ${unknown.length} are not listed.`)
process.exit(faults.length > 0 || (unknown?.length ?? 0) > 0 ? 1 : 0)
