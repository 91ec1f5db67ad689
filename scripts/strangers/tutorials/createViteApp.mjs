import { join } from 'node:path'
import { shell } from '../followPage.mjs'
import { holdViem } from '../install.mjs'

/**
 * Creates an existing application of a reader: the newest Vite with React, by `npm create`.
 *
 * @param {import('../followPage.mjs').Place} place
 * @returns {Promise<string>} its folder
 */
export async function createViteApp({ folder, env }) {
  await shell('npm create vite@latest my-page -- --template react-ts --no-interactive', { folder, env })
  const app = join(folder, 'my-page')
  holdViem(app)
  await shell('npm install', { folder: app, env })
  return app
}
