// npm run build [-- --force]
import { buildUnits } from './steps/buildUnits.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { runMain } from './steps/run/runMain.mjs'

await runMain(async () => {
  checkNode()
  await installDependencies()
  const built = await buildUnits({ force: process.argv.includes('--force') })
  if (built.length === 0) console.log('✓ Nothing to build: all is up to date')
})
