// npm start [-- --port 4000]: from a fresh clone to a running server.
import { join } from 'node:path'
import { buildUnits } from './steps/buildUnits.mjs'
import { checkNode } from './steps/checkNode.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { root } from './steps/root.mjs'
import { runForeground } from './steps/runForeground.mjs'
import { runMain } from './steps/runMain.mjs'

await runMain(async () => {
  checkNode()
  await installDependencies()
  await buildUnits()
  const server = join(root, 'packages/server/dist/cli/main.js')
  process.exit(await runForeground(process.execPath, [server, 'start', ...process.argv.slice(2)]))
})
