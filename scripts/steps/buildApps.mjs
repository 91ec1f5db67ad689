import { join } from 'node:path'
import { buildNextApps, copyNextApps } from './buildNextApps.mjs'
import { installDependencies } from './installDependencies.mjs'
import { root } from './root.mjs'
import { runQuietly } from './run/runQuietly.mjs'
import { runStep } from './run/runStep.mjs'
import { StepError } from './run/StepError.mjs'

/**
 * Builds the pages of e2e/apps and the Next.js applications, and installs parse-dashboard: other people's packages around
 * ours. They are large and nobody's but these tests', so they are installed here and not with the workspaces.
 */
export async function buildApps() {
  const folder = join(root, 'e2e/apps')
  await installDependencies(folder)
  await installDependencies(join(root, 'e2e/dashboard'))
  await copyNextApps()
  await runStep('Building the pages of e2e/apps', async () => {
    for (const [tool, ...parameters] of [
      ['typescript/bin/tsc', '-p', folder],
      ['vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    ]) {
      const path = join(root, 'node_modules', tool ?? '')
      const { code, output } = await runQuietly(process.execPath, [path, ...parameters], { cwd: folder })
      if (code !== 0)
        throw new StepError(`Building the pages of e2e/apps failed.\n\n${output}`, 'Fix what is named above.')
    }
  })
  await runStep('Building the Next.js applications', buildNextApps)
}
