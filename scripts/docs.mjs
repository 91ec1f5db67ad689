// npm run docs -- FOLDER: the documentation as static files, for a host of its own.
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildSite } from './steps/buildSite.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { runStep } from './steps/run/runStep.mjs'
import { StepError } from './steps/run/StepError.mjs'

await runMain(async () => {
  const folder = process.argv[2]
  if (!folder) throw new StepError('Name the folder to write to.', 'npm run docs -- FOLDER')
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StepError(`${folder} is not empty.`, 'Name a folder that is new or empty.')
  checkNode()
  await installDependencies()
  await buildUnits()
  await runStep('Writing the documentation site', () => buildSite(resolve(folder)))
})
