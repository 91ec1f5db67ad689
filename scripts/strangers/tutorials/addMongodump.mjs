import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../steps/root.mjs'
import { shell } from '../followPage.mjs'

/**
 * Replaces MongoDB, which these tests do not have: a command of that name writes the same output from a file with the
 * documents.
 *
 * @param {import('../followPage.mjs').Place} place
 * @returns {Promise<NodeJS.ProcessEnv>} environment with the command
 */
export async function addMongodump({ folder, env }) {
  const home = join(folder, 'mongodump')
  cpSync(join(root, 'scripts/strangers/apps/mongodump'), home, { recursive: true })
  await shell('npm install && mkdir bin && ln -s ../mongodump.mjs bin/mongodump && chmod +x mongodump.mjs', {
    folder: home,
    env,
  })
  return { ...env, PATH: `${join(home, 'bin')}:${env.PATH}` }
}
