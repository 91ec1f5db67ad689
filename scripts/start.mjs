// npm start [-- --port 4000]: from a fresh clone to a running server.
import { join } from 'node:path'
import { buildUnits } from './steps/buildUnits.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { root } from './steps/root.mjs'
import { runForeground } from './steps/run/runForeground.mjs'
import { runMain } from './steps/run/runMain.mjs'

await runMain(async () => {
  checkNode()
  await installDependencies()
  await buildUnits()
  const server = join(root, 'packages/server/bin/countersign.js')
  process.exit(await runForeground(process.execPath, [server, 'start', ...process.argv.slice(2)]))
})
